// Writes the compiled code of the server's bundle next to it, so that a start does not compile it: see src/almanac/bundle/run-bundle.ts.
// V8 compiles a function when it is first called. So the server is started once, for a moment, on data of its own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeFileOf, packCode, runBundle } from '../dist/almanac/bundle/run-bundle.js';

const bundle = fileURLToPath(new URL('../dist/bundle/almanac.cjs', import.meta.url));

/** None of the settings of the user who builds: not their database, and not their container engine. */
function compileApart() {
  const data = mkdtempSync(join(tmpdir(), 'almanac-build-'));
  const env = {
    PATH: process.env.PATH,
    ALM_DATA: data,
    ALM_HOST: '127.0.0.1',
    ALM_PORT: '0',
    ALM_LOG: 'silent',
    ALM_DOCKER_SOCKET: join(data, 'no-engine'),
    ALM_DOCKER_KEEP_DAYS: '0',
  };
  const file = fileURLToPath(import.meta.url);
  const { status } = spawnSync(process.execPath, [file, 'serve'], { env, stdio: 'inherit', timeout: 60_000 });
  rmSync(data, { recursive: true, force: true });
  if (status !== 0) throw new Error(`it ended with ${status}`);
  const size = Math.round(statSync(codeFileOf(bundle)).size / 1024);
  process.stdout.write(`${codeFileOf(bundle)}: ${size} KiB\n`);
}

/** The server works without it. */
function compileIfPossible() {
  try {
    compileApart();
  } catch (error) {
    process.stderr.write(`The server was not compiled, so each start takes longer: ${error.message}\n`);
  }
}

/** The arguments are those of the server. */
function compileHere() {
  const script = runBundle(bundle);
  process.stdout.write = (text) => {
    if (String(text).includes('serving at')) process.emit('SIGTERM');
    return true;
  };
  process.on('exit', (status) => {
    if (status === 0)
      writeFileSync(codeFileOf(bundle), packCode(readFileSync(bundle), script.createCachedData()));
  });
}

if (process.argv[2] === 'serve') compileHere();
else compileIfPossible();
