// Reports of agents that change the state of their container, against inserts of one row into the database in the same run. See ../README.md.
// Usage after a build: node bench/speed/reports.mjs [seconds] [clients]; DIST=<directory> measures another build
import { insertsPerSecond } from './inserts.mjs';
import { call, load } from './load.mjs';
import { pgbenchInserts } from './postgres.mjs';
import { report } from './report.mjs';
import { startServer } from './server.mjs';
import { makeStacks, signIn } from './stacks.mjs';

const [seconds = 5, clients = 50] = process.argv.slice(2).map(Number);

const server = await startServer({ ALM_AGENT_EVENTS_PER_MINUTE: '0' });
const token = await signIn(server);
const ids = await makeStacks(server, token, { count: 20 });
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

const url = process.env.DATABASE_URL;
const baseline = url ? await pgbenchInserts(url, { clients }) : insertsPerSecond();
const { perSecond, ...rest } = await load(server, next, { clients, seconds });
report('reports', [
  {
    name: `one-row inserts, ${url ? `pgbench with ${clients} clients` : 'SQLite'}`,
    value: baseline,
    unit: '/s',
    isBaseline: true,
  },
  {
    name: `container_status, ${clients} clients`,
    value: perSecond,
    unit: '/s',
    ratio: perSecond / baseline,
    ...rest,
  },
]);
await server.stop();
