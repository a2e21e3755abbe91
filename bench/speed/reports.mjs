// Reports of agents that change the state of their container, against one-row inserts into SQLite in the same run. See ../README.md.
// Usage after a build: node bench/speed/reports.mjs [seconds] [clients]; DIST=<directory> measures another build
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Connection from 'libsql';
import { call, load } from './load.mjs';
import { startServer } from './server.mjs';
import { makeStacks, signIn } from './stacks.mjs';

const [seconds = 5, clients = 50] = process.argv.slice(2).map(Number);

/** Inserts a second, each in a transaction of its own that is on the disk before the next. */
function insertsPerSecond() {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  const connection = new Connection(join(directory, 'baseline.db'));
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.exec('create table reports (id integer primary key, status text)');
  const insert = connection.prepare('insert into reports (status) values (?)');
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < 2000; count += 1) insert.run(['running']);
  connection.close();
  rmSync(directory, { recursive: true });
  return count / 2;
}

const server = await startServer({ ALM_AGENT_EVENTS_PER_MINUTE: '0' });
const token = await signIn(server);
const ids = await makeStacks(server, token, 20);
const tokens = [];
for (const id of ids) {
  const { auth_token: secret } = await call(server.url, { path: `/v3/alm/stack/${id}`, token });
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  tokens.push((await call(server.url, { method: 'POST', path: '/v3/access_token', body })).access_token);
}

const next = (number) => {
  const stack = number % ids.length;
  const body = {
    stack_id: ids[stack],
    agent_id: 'agent',
    container_id: `container-${number % 100}`,
    status: Math.floor(number / 100) % 2 === 0 ? 'running' : 'stopped',
  };
  const path = '/v3/alm/agent/container_status';
  return { method: 'POST', path, token: tokens[stack], body: JSON.stringify(body) };
};

const baseline = insertsPerSecond();
const { perSecond, cpu, p50, p99 } = await load(server, next, { clients, seconds });
console.log(`${clients} clients, ${seconds} s`);
console.log(`one-row inserts   ${baseline.toFixed(0).padStart(6)}/s`);
console.log(
  `container_status  ${perSecond.toFixed(0).padStart(6)}/s (${(perSecond / baseline).toFixed(2)}×)  ${cpu.toFixed(2)} ms CPU  p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms`,
);
await server.stop();
