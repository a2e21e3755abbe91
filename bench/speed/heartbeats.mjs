// Heartbeats of agents that name the revision they serve, against those of agents that do not, in the same run. See ../README.md.
// Usage after a build: node bench/speed/heartbeats.mjs [seconds] [clients]; DIST=<directory> measures another build
import { call, load } from './load.mjs';
import { report } from './report.mjs';
import { startServer } from './server.mjs';
import { makeStacks, signIn, template } from './stacks.mjs';

const [seconds = 5, clients = 20] = process.argv.slice(2).map(Number);
const [stackCount, serversEach] = [50, 20];
/** How often an agent reports that nothing changed. */
const everySeconds = 10;

const withContainer = (number) => {
  const { configurations, ...rest } = template(number);
  const [{ provision, ...layer }] = configurations;
  const servers = { ...provision, instance_count: serversEach };
  return {
    ...rest,
    configurations: [{ ...layer, provision: servers, container: { container_image: 'shop:1' } }],
  };
};

const server = await startServer({ ALM_AGENT_EVENTS_PER_MINUTE: '0' });
const token = await signIn(server);
const ids = await makeStacks(server, token, { count: stackCount, template: withContainer });
const agents = [];
for (const id of ids) {
  const stack = await call(server.url, { path: `/v3/alm/stack/${id}`, token });
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: stack.auth_token };
  const { access_token: own } = await call(server.url, { method: 'POST', path: '/v3/access_token', body });
  const { container_updated: revision } = await call(server.url, {
    path: `/v3/alm/agent/config?stack_id=${id}&flag=web0`,
    token: own,
  });
  for (let each = 0; each < serversEach; each += 1)
    agents.push({ id, token: own, revision, instance: stack.instances?.[each]?.id ?? `i-${each}` });
}

const heartbeat = (more) => (number) => {
  const agent = agents[number % agents.length];
  const body = {
    stack_id: agent.id,
    agent_id: agent.instance,
    instance_id: agent.instance,
    status: 'uptodate',
    ...more(agent),
  };
  const path = '/v3/alm/agent/agent_status';
  return { method: 'POST', path, token: agent.token, body: JSON.stringify(body) };
};

const plain = heartbeat(() => ({}));
const named = heartbeat(({ revision }) => ({
  revision,
  serving_revision: revision,
  flag: 'web0',
  image: 'shop:1',
  every: everySeconds,
}));

/** The first report of each agent is news: only the later ones are heartbeats. */
async function repeated(next) {
  let sent = 0;
  while (sent < 2 * agents.length) await load(server, () => next(sent++), { clients, seconds: 1 });
  return load(server, next, { clients, seconds });
}

const before = await repeated(plain);
const after = await repeated(named);
const percent = ({ cpu }) => (agents.length / everySeconds) * cpu * 0.1;
const row = (name, figures) => ({
  name: `${name}: ${agents.length} instances every ${everySeconds} s`,
  value: percent(figures),
  unit: ' % of a core',
  ...figures,
});
report('heartbeats', [
  { ...row('without a revision', before), isBaseline: true },
  { ...row('with their revision', after), ratio: after.cpu / before.cpu },
]);
await server.stop();
