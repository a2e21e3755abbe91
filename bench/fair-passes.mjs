// Time from the request for a stack to its completion, with and without accounts whose clouds do not answer. See README.md.
// Usage after a build: [DIST=<dist of another build>] node bench/fair-passes.mjs [accounts] [dead accounts]
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const [accountCount = 200, deadCount = 3] = process.argv.slice(2).map(Number);
const stacksOfDead = 30;
const perSecond = 40;
/** Longer than any stack should take: a server without places gives up here. */
const longestMs = 60_000;
const place = resolve(process.env.DIST ?? 'dist');
const load = (path) => import(join(place, path));
const { makeLoop } = await load('almanac/make-loop.js');
const { makeService } = await load('almanac/make-service.js');
const { realClock } = await load('basics/clock.js');
const { readConfig } = await load('basics/config.js');
const { Secret } = await load('basics/secret.js');
const { credentialRow } = await load('operations/credentials/credential-row.js');
const { applyTemplate } = await load('operations/stacks/submit/apply-template.js');
const { startFirstTime } = await load('operations/start/first-start.js');
const { saveCredential } = await load('store/access/credentials.js');
const { openDatabase } = await load('store/database/open-database.js');
const { Registry } = await import('prom-client');

const template = {
  version: '2017-03-03',
  label: 'bench',
  vendor: { sandbox: { cred: 'BENCH', secret: 'bench', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: { instance_type: 't2.micro', instance_count: 1, availability_zone: 'ap-northeast-1a' },
    },
  ],
};

/** Accepts connections and never answers. */
async function silentCloud() {
  const sockets = new Set();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {}).resume()));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

const actorOf = (accountId) => ({
  kind: 'user',
  accountId,
  userId: accountId,
  username: 'root',
  master: true,
});
const create = async (service, accountId) =>
  (
    await applyTemplate(service, actorOf(accountId), {
      template: { text: JSON.stringify(template), format: 'json' },
    })
  ).stackId;

/** Stacks of the sandbox that are looked for at the silent cloud from now on. */
async function die(service, accountId, { url }) {
  const id = 'bench@default/bench';
  const { query } = service.database;
  const credential = { vendor: 'openstack', id, secret: new Secret('bench'), account: 'bench', authUrl: url };
  await saveCredential(query, credentialRow(service, accountId, credential));
  for (let each = 0; each < stacksOfDead; each += 1) await create(service, accountId);
  await query
    .updateTable('stacks')
    .set({ vendor: 'openstack', credential_id: id })
    .where('account_id', '=', accountId)
    .execute();
}

async function completedAfter(service, accounts) {
  const { query } = service.database;
  const began = new Map();
  const times = [];
  const creating = (async () => {
    for (const account of accounts) {
      const at = performance.now();
      began.set(await create(service, account), at);
      await wait(1000 / perSecond);
    }
  })();
  const end = performance.now() + longestMs;
  while (times.length < accounts.length && performance.now() < end) {
    const rows = await query
      .selectFrom('stacks')
      .select('id')
      .where('status', '=', 'CREATE_COMPLETE')
      .execute();
    for (const { id } of rows) {
      if (!began.has(id)) continue;
      times.push(performance.now() - began.get(id));
      began.delete(id);
      await query.updateTable('stacks').set({ next_at: null }).where('id', '=', id).execute();
    }
    await wait(5);
  }
  await creating;
  for (const at of began.values()) times.push(performance.now() - at);
  return times.toSorted((a, b) => a - b);
}

async function open(directory, clouds) {
  const config = readConfig({
    ALM_DATA: directory,
    ALM_SANDBOX_SPEED: '0',
    ...(process.env.TEST_POSTGRES_URL ? { DATABASE_URL: process.env.TEST_POSTGRES_URL } : {}),
    ALM_OPENSTACK_AUTH_URLS: clouds.map(({ url }) => url).join(','),
  });
  const database = await openDatabase(config.databaseUrl);
  const stopping = new AbortController();
  const service = makeService({ config, database, clock: realClock, stopping: stopping.signal });
  await startFirstTime(service, config.first);
  const ids = Array.from({ length: accountCount }, (_, index) => `bench-${index}-${Date.now()}`);
  for (const id of ids)
    await database.query.insertInto('accounts').values({ id, name: id, created_at: 1 }).execute();
  return { database, service, stopping, ids };
}

async function measure(isDead) {
  const directory = await mkdtemp(join(tmpdir(), 'almanac-bench-'));
  const clouds = await Promise.all(Array.from({ length: deadCount }, silentCloud));
  const { database, service, stopping, ids } = await open(directory, clouds);
  if (isDead) for (const [index, cloud] of clouds.entries()) await die(service, ids[index], cloud);
  const loop = makeLoop({ service, log: { error: console.error }, registry: new Registry() });
  loop.start();
  await wait(1000);
  const times = await completedAfter(service, ids.slice(deadCount));
  stopping.abort();
  const stoppedAt = performance.now();
  await Promise.race([loop.stop(), wait(30_000)]);
  const stopMs = performance.now() - stoppedAt;
  for (const { close } of clouds) close();
  await database.query.updateTable('stacks').set({ next_at: null }).execute();
  await database.close();
  await rm(directory, { recursive: true, force: true });
  return { times, stopMs };
}

const part = (times, share) => times[Math.floor((times.length - 1) * share)];
const show = (name, { times, stopMs }) =>
  console.log(
    `${name.padEnd(22)} median ${part(times, 0.5).toFixed(0).padStart(6)} ms   p99 ${part(times, 0.99).toFixed(0).padStart(6)} ms   stop ${stopMs.toFixed(0).padStart(6)} ms`,
  );
await measure(false); // V8 compiles the code
const without = await measure(false);
const withDead = await measure(true);
show('all clouds answer', without);
show(`${deadCount} of ${accountCount} are dead`, withDead);
console.log(`p99 ratio ${(part(withDead.times, 0.99) / part(without.times, 0.99)).toFixed(2)}`);
process.exit(0);
