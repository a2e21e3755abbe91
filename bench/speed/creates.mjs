// Stacks from the request to CREATE_COMPLETE over HTTP: how many a second, and CPU of the server for each. See ../README.md.
// Usage after a build: node bench/speed/creates.mjs [stacks] [clients] [stacks before]; DIST=<directory> measures another build
import { setTimeout } from 'node:timers/promises';
import { insertsPerSecond } from './inserts.mjs';
import { call, jsonOf, openClient } from './load.mjs';
import { report } from './report.mjs';
import { cpuMs, databaseCpuMs, memoryMb, startServer } from './server.mjs';
import { signIn, template } from './stacks.mjs';

const [count = 1000, clients = 10, before = 100] = process.argv.slice(2).map(Number);
const baseline = insertsPerSecond();
const server = await startServer();
const token = await signIn(server);
const connections = Array.from({ length: clients }, () => openClient(server.url));

const stacksIn = (status) =>
  call(server.url, { path: `/v3/alm/stack?view=summary&limit=1&status=${status}`, token });
const isOpen = async () => (await stacksIn('CREATE_IN_PROGRESS')).length > 0;

let made = 0;
/** Creates so many, and waits until all are complete. */
async function create(number) {
  const last = made + number;
  const [cpu, databaseCpu, started] = [cpuMs(server.pid), databaseCpuMs(), performance.now()];
  const run = async (client) => {
    while (made < last) {
      const request = {
        method: 'POST',
        path: '/v3/alm/template',
        token,
        body: JSON.stringify(template(made++)),
      };
      jsonOf(request, await client.ask(request));
    }
  };
  await Promise.all(connections.map(run));
  const accepted = performance.now();
  while (await isOpen()) await setTimeout(20); // each question costs the server time
  const completed = performance.now();
  if ((await stacksIn('CREATE_FAILED')).length > 0) throw new Error('a stack failed');
  return {
    accepted: (number * 1000) / (accepted - started),
    complete: (number * 1000) / (completed - started),
    cpu: (cpuMs(server.pid) - cpu) / number,
    databaseCpu: (databaseCpuMs() - databaseCpu) / number,
  };
}

const rowsOf = (name, { accepted, complete, cpu, databaseCpu }) => [
  { name: `${name}: accepted`, value: accepted, unit: '/s', ratio: accepted / baseline },
  { name: `${name}: complete`, value: complete, unit: '/s', ratio: complete / baseline, cpu, databaseCpu },
];
const cold = before > 0 ? rowsOf(`create, the first ${before}`, await create(before)) : [];
const warm = rowsOf(`create, ${clients} clients, the next ${count}`, await create(count));
report('creates', [
  { name: 'one-row inserts into SQLite', value: baseline, unit: '/s', isBaseline: true },
  ...cold,
  ...warm,
  { name: `memory after ${made} stacks`, value: memoryMb(server.pid), unit: 'MB' },
]);
for (const connection of connections) connection.close();
await server.stop();
