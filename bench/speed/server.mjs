// Starts programs to measure: the built server, and a bare Fastify as the baseline.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { newDatabase, postgresCpu } from './postgres.mjs';

export const root = { username: 'root', password: 'bench-root-password' };

// In `scripts/with-postgres.sh`, each part has a database of its own, whatever the settings of the user say.
if (process.env.TEST_POSTGRES_URL) process.env.DATABASE_URL = await newDatabase();

/** Milliseconds of CPU of PostgreSQL; 0 on SQLite, which works in the server. */
export const databaseCpuMs = process.env.DATABASE_URL ? await postgresCpu(process.env.DATABASE_URL) : () => 0;

/** Milliseconds of CPU that a process used, in all its threads. */
export const cpuMs = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

export const memoryMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** Resolves when the program has printed its address. */
async function start(args, env, address) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (process.env.BENCH_LOG) child.stdout.pipe(process.stderr, { end: false });
  let output = '';
  const url = await new Promise((found, fail) => {
    child.once('exit', (code) => fail(new Error(`${args[0]} ended with ${code}: ${output}`)));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const match = address.exec(output);
      if (match) found(match[1]);
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { url, pid: child.pid, stop };
}

/** The server as users run it, without limits, on a database of its own or on DATABASE_URL. */
export async function startServer(settings = {}) {
  const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  const program = resolve(process.env.DIST ?? 'dist', 'almanac', 'main.js');
  const environment = {
    PATH: process.env.PATH,
    ALM_PORT: '0',
    ALM_DATA: data,
    ALM_LOG: process.env.BENCH_LOG ?? 'silent',
    ALM_RATE_LIMIT: '0',
    ALM_TOKEN_RATE_LIMIT: '0',
    ALM_MAX_LAG: '0',
    ALM_SANDBOX_SPEED: '0',
    ALM_ROOT_PASSWORD: root.password,
    ...(process.env.DATABASE_URL ? { DATABASE_URL: process.env.DATABASE_URL } : {}),
    ...settings,
  };
  const flags = process.env.BENCH_PROFILE
    ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`]
    : [];
  const server = await start([...flags, program, 'serve'], environment, /serving at (http:\S+)/);
  const stop = async () => {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  };
  return { ...server, stop };
}

const bare = `
  const app = require('fastify')();
  app.get('/', async () => ({ status: 'ok' }));
  app.listen({ port: 0, host: '127.0.0.1' }).then((url) => console.log('serving at ' + url));
`;

export const startBareFastify = () =>
  start(['-e', bare], { PATH: process.env.PATH }, /serving at (http:\S+)/);
