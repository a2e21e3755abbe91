// Creates and lists stacks of an OpenStack Heat and of Almanac on a cloud that takes no time, in the same run. See ../README.md.
// Usage after a build: bash scripts/with-openstack.sh node bench/speed/heat.mjs [stacks] [at once] [seconds for each list]
import { setTimeout } from 'node:timers/promises';
import { HeatProject } from './heat-project.mjs';
import { call, load } from './load.mjs';
import { report } from './report.mjs';
import { startServer } from './server.mjs';
import { signIn, template } from './stacks.mjs';

const [count = 100, atOnce = 10, seconds = 5] = process.argv.slice(2).map(Number);

/** Seconds until all stacks are complete; each client sends its next one when the one before is accepted. */
async function complete({ create, countOpen }) {
  const started = performance.now();
  let sent = 0;
  const client = async () => {
    while (sent < count) await create(sent++);
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  while ((await countOpen()) > 0) await setTimeout(500); // each question costs time
  return (performance.now() - started) / 1000;
}

async function measureHeat() {
  const heat = await HeatProject.signIn();
  try {
    const took = await complete({ create: heat.create, countOpen: heat.countInProgress });
    return {
      perSecond: count / took,
      list: await load(heat, heat.listRequest, { clients: atOnce, seconds }),
    };
  } finally {
    await heat.removeAll();
  }
}

async function measureAlmanac() {
  const server = await startServer();
  const token = await signIn(server);
  const countOpen = async () => {
    const stacks = await call(server.url, { path: '/v3/alm/stack?view=summary', token });
    return stacks.filter(({ stack_status: status }) => status === 'CREATE_IN_PROGRESS').length;
  };
  const create = (number) =>
    call(server.url, { method: 'POST', path: '/v3/alm/template', token, body: template(number) });
  const took = await complete({ create, countOpen });
  const list = await load(server, () => ({ path: '/v3/alm/stack', token }), { clients: atOnce, seconds });
  await server.stop();
  return { perSecond: count / took, list };
}

const [heat, almanac] = [await measureHeat(), await measureAlmanac()];
const created = (perSecond) => ({ value: perSecond, unit: '/s', ratio: perSecond / heat.perSecond });
const listed = ({ perSecond, p50, p99 }) => ({
  value: perSecond,
  unit: '/s',
  ratio: perSecond / heat.list.perSecond,
  p50,
  p99,
});
report('heat', [
  { name: 'Heat: create → complete', ...created(heat.perSecond), isBaseline: true },
  { name: 'Almanac: create → complete', ...created(almanac.perSecond) },
  { name: `Heat: list ${count} stacks`, ...listed(heat.list), isBaseline: true },
  { name: `Almanac: list ${count} stacks`, ...listed(almanac.list) },
]);
