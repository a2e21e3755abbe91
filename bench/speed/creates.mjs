// Stacks from the request to CREATE_COMPLETE over HTTP: how many a second, and CPU of the server for each. See ../README.md.
// Usage after a build: node bench/speed/creates.mjs [stacks] [clients]; DIST=<directory> measures another build
import { setTimeout } from 'node:timers/promises';
import { insertsPerSecond } from './inserts.mjs';
import { call } from './load.mjs';
import { report } from './report.mjs';
import { cpuMs, databaseCpuMs, memoryMb, startServer } from './server.mjs';
import { signIn, template } from './stacks.mjs';

const [count = 200, clients = 10] = process.argv.slice(2).map(Number);
const baseline = insertsPerSecond();
const server = await startServer();
const token = await signIn(server);

const [cpu, databaseCpu, started] = [cpuMs(server.pid), databaseCpuMs(), performance.now()];
let sent = 0;
const create = async () => {
  while (sent < count) {
    const body = template(sent++);
    await call(server.url, { method: 'POST', path: '/v3/alm/template', token, body });
  }
};
await Promise.all(Array.from({ length: clients }, create));
const accepted = performance.now();

const isOpen = async () => {
  const stacks = await call(server.url, { path: '/v3/alm/stack?view=summary', token });
  const bad = stacks.find(({ stack_status: status }) => !/^CREATE_(IN_PROGRESS|COMPLETE)$/.test(status));
  if (bad) throw new Error(`stack ${bad.stack_id} is ${bad.stack_status}`);
  return stacks.some(({ stack_status: status }) => status === 'CREATE_IN_PROGRESS');
};
while (await isOpen()) await setTimeout(100); // each question costs the server time
const seconds = (performance.now() - started) / 1000;
const cpuEach = (cpuMs(server.pid) - cpu) / count;
const databaseCpuEach = (databaseCpuMs() - databaseCpu) / count;
const perSecond = (found) => (count * 1000) / found;
const acceptedPerSecond = perSecond(accepted - started);
report('creates', [
  { name: 'one-row inserts into SQLite', value: baseline, unit: '/s', isBaseline: true },
  {
    name: `create, ${clients} clients: accepted`,
    value: acceptedPerSecond,
    unit: '/s',
    ratio: acceptedPerSecond / baseline,
  },
  {
    name: 'create: complete',
    value: count / seconds,
    unit: '/s',
    ratio: count / seconds / baseline,
    cpu: cpuEach,
    databaseCpu: databaseCpuEach,
  },
  { name: `memory after ${count} stacks`, value: memoryMb(server.pid), unit: 'MB' },
]);
await server.stop();
