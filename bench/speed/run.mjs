// Runs the parts one after the other and prints one table, and the same as JSON. See ../README.md.
// Usage: npm run bench -- [parts] [--json file]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printTable } from './report.mjs';

const parts = [
  'reads',
  'reports',
  'heartbeats',
  'creates',
  'start',
  'memory',
  'diff',
  'idle',
  'large',
  'scale-out',
];
// Needs an OpenStack.
if (process.env.BENCH_HEAT) parts.push('heat');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' } },
});
const unknown = positionals.filter((part) => !parts.includes(part));
if (unknown.length > 0) {
  console.error(`bench: unknown ${unknown.join(', ')}; the parts are ${parts.join(', ')}`);
  process.exit(2);
}

const commit = () => {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
};

const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
const out = join(directory, 'rows');
writeFileSync(out, '');
const loadBefore = loadavg()[0];
for (const part of positionals.length > 0 ? positionals : parts) {
  const program = join(import.meta.dirname, `${part}.mjs`);
  const { status } = spawnSync(process.execPath, [program], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_OUT: out },
  });
  if (status !== 0) process.exitCode = 1;
}
const rows = readFileSync(out, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
rmSync(directory, { recursive: true });

const run = {
  commit: commit(),
  at: new Date().toISOString(),
  node: process.version,
  machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB`,
  database: process.env.DATABASE_URL || process.env.TEST_POSTGRES_URL ? 'PostgreSQL' : 'SQLite',
  load: { before: loadBefore, after: loadavg()[0] },
};
console.log(
  `commit ${run.commit}, ${run.database}, Node ${run.node}, ${run.machine}, load ${run.load.before.toFixed(1)} before, ${run.load.after.toFixed(1)} after\n`,
);
printTable(rows);
const json = JSON.stringify({ ...run, rows });
if (values.json) writeFileSync(values.json, `${json}\n`);
else console.log(`\n${json}`);
