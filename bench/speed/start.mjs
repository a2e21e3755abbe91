// Time and CPU from the start of the server until it is ready, against an empty Node program. See ../README.md.
// Usage after a build: node bench/speed/start.mjs [rounds]; DIST=<directory> measures another build
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from './report.mjs';
import { cpuMs, memoryMb, startServer } from './server.mjs';

const [rounds = 5] = process.argv.slice(2).map(Number);
const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));

const timed = async (work) => {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
};

const found = [];
for (let round = 0; round <= rounds; round += 1) {
  const { ms: base } = await timed(async () => execFileSync(process.execPath, ['-e', '0']));
  const { ms, result: server } = await timed(() => startServer({ ALM_DATA: data }));
  found.push({ ms, base, cpu: cpuMs(server.pid), mb: memoryMb(server.pid) });
  await server.stop();
}
rmSync(data, { recursive: true, force: true });
// The first start makes the data.
const later = found.slice(1);
const least = (name) => Math.min(...later.map((each) => each[name]));
report('start', [
  { name: 'node -e 0', value: least('base'), unit: 'ms', isBaseline: true },
  {
    name: 'start until ready',
    value: least('ms'),
    unit: 'ms',
    ratio: least('ms') / least('base'),
    cpu: least('cpu'),
  },
  { name: 'memory just after the start', value: least('mb'), unit: 'MB' },
]);
