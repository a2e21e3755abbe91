// Memory of a server under a steady mix of requests, each minute, and how much it grows in the second half. See ../README.md.
// Usage after a build: node bench/speed/memory.mjs [minutes] [clients] [pause ms]; DIST=<directory> measures another build
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { call } from './load.mjs';
import { report } from './report.mjs';
import { cpuMs, memoryMb, startServer } from './server.mjs';
import { signIn, template } from './stacks.mjs';

const [minutes = 2, clients = 5, pauseMs = 60] = process.argv.slice(2).map(Number);
const server = await startServer({ ALM_AGENT_EVENTS_PER_MINUTE: '0' });
const [started, cpuAtStart] = [performance.now(), cpuMs(server.pid)];
const isOver = () => performance.now() - started > minutes * 60_000;
const counts = { create: 0, update: 0, delete: 0, describe: 0, list: 0, report: 0 };
let token = await signIn(server);

/** Clients rest between requests, so that the rate is moderate. */
async function ask(kind, request) {
  await setTimeout(pauseMs);
  counts[kind] += 1;
  return call(server.url, { token, ...request });
}

const describe = (id) => ask('describe', { path: `/v3/alm/stack/${id}` });

/** Null: it is deleted. */
const describeIfThere = (id) =>
  describe(id).catch((error) => {
    if (/: 404 /.test(error.message)) return null;
    throw error;
  });

async function finish(id) {
  let found = await describeIfThere(id);
  while (found?.stack_status.endsWith('_IN_PROGRESS')) found = await describeIfThere(id);
  if (found && !/^(CREATE|UPDATE|DELETE)_COMPLETE$/.test(found.stack_status))
    throw new Error(`stack ${id} is ${found.stack_status}`);
}

/** What the agents of a stack send. */
async function sendReports(id, secret) {
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const signedIn = await ask('report', { method: 'POST', path: '/v3/access_token', token: undefined, body });
  for (let number = 0; number < 20; number += 1) {
    const status = number % 2 === 0 ? 'running' : 'stopped';
    const state = { stack_id: id, agent_id: 'agent', container_id: `container-${number % 4}`, status };
    const path = '/v3/alm/agent/container_status';
    await ask('report', { method: 'POST', path, token: signedIn.access_token, body: state });
  }
}

async function liveOnce(number) {
  const made = { ...template(number), label: `memory ${number} ${Math.floor(performance.now())}` };
  const { stack_id: id } = await ask('create', { method: 'POST', path: '/v3/alm/template', body: made });
  await finish(id);
  const { auth_token: secret } = await describe(id);
  await sendReports(id, secret);
  for (let each = 0; each < 5; each += 1) {
    await ask('list', { path: '/v3/alm/stack' });
    await ask('list', { path: `/v3/alm/stack/${id}/events` });
  }
  made.configurations[0].provision.instance_count = 2;
  await ask('update', { method: 'PUT', path: `/v3/alm/template/${id}`, body: made });
  await finish(id);
  await ask('delete', { method: 'DELETE', path: `/v3/alm/stack/${id}?servers=replace` });
  await finish(id);
}

/** Each client has a credential of its own. */
async function live(client) {
  while (!isOver()) await liveOnce(client * 15);
}

/** Megabytes a minute, by least squares. */
function slopeOf(values) {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  const covariance = values.reduce((sum, each, index) => sum + (index - middle) * (each - mean), 0);
  const variance = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}

const perMinute = [];
async function watch() {
  while (!isOver()) {
    await setTimeout(60_000);
    perMinute.push(memoryMb(server.pid));
    const sent = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
    const load = loadavg()[0].toFixed(1);
    console.error(
      `minute ${perMinute.length}: ${perMinute.at(-1).toFixed(1)} MB, load ${load}, ${sent.join(', ')}`,
    );
    token = await signIn(server);
  }
}

await Promise.all([watch(), ...Array.from({ length: clients }, (_, client) => live(client))]);
const seconds = (performance.now() - started) / 1000;
const share = (cpuMs(server.pid) - cpuAtStart) / (seconds * 10);
const requests = Object.values(counts).reduce((sum, each) => sum + each, 0);
const secondHalf = perMinute.slice(Math.floor(perMinute.length / 2));
report('memory', [
  { name: `load of ${minutes} minutes: requests`, value: requests / seconds, unit: '/s' },
  { name: 'under load: CPU', value: share, unit: '% of a core' },
  { name: 'memory at the end', value: perMinute.at(-1), unit: 'MB' },
  { name: 'memory, most', value: Math.max(...perMinute), unit: 'MB' },
  { name: 'growth in the second half', value: slopeOf(secondHalf), unit: 'MB/min' },
]);
await server.stop();
