// 1, 2 and 4 servers on one PostgreSQL behind haproxy: reads, creations, and a server that is killed under load. See ../README.md.
// Usage after a build: node bench/speed/scale-out.mjs [stacks] [seconds per figure] [stacks before, for each server]
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { startBalancer } from './haproxy.mjs';
import { jsonOf, load, openClient } from './load.mjs';
import { needPostgres, newDatabase, pgbenchInserts, postgresStatements } from './postgres.mjs';
import { report } from './report.mjs';
import { cpuMs, databaseCpuMs, startServer } from './server.mjs';
import { signIn, template } from './stacks.mjs';

needPostgres();
const [stacks = 1000, seconds = 4, before = 100] = process.argv.slice(2).map(Number);
/** Creations that are under way when a server is killed take a while. */
const slowStacks = 120;

/** Servers that share a database and the key of its secrets, behind a balancer. */
async function startCluster(count, settings = {}) {
  const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  const database = await newDatabase();
  const shared = { ALM_DATA: data, DATABASE_URL: database, ...settings };
  const servers = [await startServer(shared)];
  while (servers.length < count) servers.push(await startServer(shared));
  const balancer = await startBalancer(servers.map(({ url }) => url));
  const rows = new pg.Client(database);
  await rows.connect();
  const stop = async () => {
    balancer.stop();
    await rows.end();
    for (const server of servers) await server.stop();
    rmSync(data, { recursive: true, force: true });
  };
  return { servers, balancer, rows, database, stop };
}

const count = async (rows, text) => Number((await rows.query(text)).rows[0].count);

/** Stacks whose events show that more than one server worked on a request, or that a resource was made twice. */
const handledTwice = (rows) =>
  count(
    rows,
    `select count(*) from (
       select stack_id from events where kind = 'step' and message like 'The vendor was asked to apply%'
         group by stack_id, version_id having count(*) > 1
       union select stack_id from events where kind = 'status' and status = 'CREATE_COMPLETE'
         group by stack_id having count(*) > 1
       union select stack_id from events where kind = 'resource' and status = 'CREATE_COMPLETE'
         group by stack_id, resource having count(*) > 1) twice`,
  );

/** With ten clients, until all are complete. The key lets the balancer send a request again whose server was killed. */
async function createAll({ balancer, rows }, token, { number, first = 0, withKey = false }) {
  let sent = first;
  const last = first + number;
  const ids = [];
  const run = async () => {
    const client = openClient(balancer.url);
    while (sent < last) {
      const headers = withKey ? { 'idempotency-key': randomUUID() } : {};
      const body = JSON.stringify(template(sent++));
      const request = { method: 'POST', path: '/v3/alm/template', token, headers, body };
      ids.push(jsonOf(request, await client.ask(request)).stack_id);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: 10 }, run));
  const open = `select count(*) from stacks where status <> 'CREATE_COMPLETE'`;
  while ((await count(rows, open)) > 0) {
    const failed = await rows.query(
      `select status_reason from stacks where status = 'CREATE_FAILED' limit 1`,
    );
    if (failed.rows.length > 0) throw new Error(`a creation failed: ${failed.rows[0].status_reason}`);
    await setTimeout(50);
  }
  return ids;
}

async function measure(size) {
  const cluster = await startCluster(size);
  const { servers, balancer, rows } = cluster;
  const baseline = await pgbenchInserts(cluster.database);
  const token = await signIn(balancer);
  // V8 compiles the code of each server while these are created.
  if (before > 0) await createAll(cluster, token, { number: before * size });
  const cpuOfAll = () => servers.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const counted = await postgresStatements(cluster.database);
  const [cpu, databaseCpu, statements] = [cpuOfAll(), databaseCpuMs(), await counted()];
  const started = performance.now();
  const ids = await createAll(cluster, token, { number: stacks, first: before * size });
  const creates = {
    perSecond: (stacks * 1000) / (performance.now() - started),
    cpu: (cpuOfAll() - cpu) / stacks,
    databaseCpu: (databaseCpuMs() - databaseCpu) / stacks,
    statements: ((await counted()) - statements) / stacks,
  };
  const next = (n) => ({ path: `/v3/alm/stack/${ids[n % ids.length]}`, token });
  const reads = await load({ url: balancer.url, pid: balancer.pid }, next, { clients: 20, seconds });
  const twice = await handledTwice(rows);
  await cluster.stop();
  return { size, creates, reads, twice, baseline };
}

/** Reads all the time, and what came of them. */
function keepReading(url, token) {
  const seen = { done: 0, failed: 0, reasons: new Set(), stopped: false };
  const client = async () => {
    while (!seen.stopped) {
      try {
        const reply = await fetch(`${url}/v3/alm/stack?limit=10`, {
          headers: { authorization: `Bearer ${token}` },
        });
        await reply.text();
        if (!reply.ok) throw new Error(String(reply.status));
        seen.done += 1;
      } catch (error) {
        seen.failed += 1;
        seen.reasons.add(error.cause?.code ?? error.message);
      }
    }
  };
  const clients = Array.from({ length: 5 }, client);
  return async () => {
    seen.stopped = true;
    await Promise.all(clients);
    return seen;
  };
}

/** Seconds until other servers work on the stacks that the killed one held. */
async function takeOver(rows, pid) {
  const held = (await rows.query(`select id, epoch from stacks where lease_owner like '% ${pid} %'`)).rows;
  const started = performance.now();
  const isHeld = async ({ id, epoch }) =>
    count(rows, `select count(*) from stacks where id = '${id}' and epoch = ${epoch}`);
  for (const stack of held) while ((await isHeld(stack)) > 0) await setTimeout(50);
  return { held: held.length, seconds: (performance.now() - started) / 1000 };
}

/** Creations take a while, so that the killed server holds some. */
async function killOne() {
  const cluster = await startCluster(2, { ALM_SANDBOX_SPEED: '0.3' });
  const { servers, balancer, rows } = cluster;
  const token = await signIn(balancer);
  const stopReading = keepReading(balancer.url, token);
  const creating = createAll(cluster, token, { number: slowStacks, withKey: true });
  const [victim] = servers;
  const holds = `select count(*) from stacks where lease_owner like '% ${victim.pid} %'`;
  await setTimeout(1500);
  while ((await count(rows, holds)) === 0) await setTimeout(1);
  process.kill(victim.pid, 'SIGKILL');
  const taken = await takeOver(rows, victim.pid);
  await creating;
  const reads = await stopReading();
  const twice = await handledTwice(rows);
  servers.shift();
  await cluster.stop();
  return { taken, reads, twice };
}

const found = [];
for (const size of [1, 2, 4]) found.push(await measure(size));
const killed = await killOne();
const [one] = found;
report('scale-out', [
  { name: 'pgbench, one-row inserts, 10 clients', value: one.baseline, unit: '/s', isBaseline: true },
  ...found.flatMap(({ size, reads, creates, twice }) => [
    {
      name: `${size} servers: describe`,
      value: reads.perSecond,
      unit: '/s',
      ratio: reads.perSecond / one.reads.perSecond,
      p50: reads.p50,
      p99: reads.p99,
    },
    {
      name: `${size} servers: create → complete`,
      value: creates.perSecond,
      unit: '/s',
      ratio: creates.perSecond / one.creates.perSecond,
      cpu: creates.cpu,
      databaseCpu: creates.databaseCpu,
    },
    { name: `${size} servers: statements for each stack`, value: creates.statements, unit: '' },
    { name: `${size} servers: stacks handled twice`, value: twice, unit: '' },
  ]),
  {
    name: `killed server: its ${killed.taken.held} stacks go on after`,
    value: killed.taken.seconds,
    unit: 's',
  },
  { name: `killed server: failed of ${killed.reads.done} reads`, value: killed.reads.failed, unit: '' },
  { name: 'killed server: stacks handled twice', value: killed.twice, unit: '' },
]);
if (killed.reads.failed > 0) console.error(`failed reads: ${[...killed.reads.reasons].join(', ')}`);
if (killed.taken.held === 0) console.error('the killed server held no stack: repeat with more stacks');
// The rates are for readers; what must never happen fails.
if (killed.reads.failed > 0 || killed.taken.held === 0 || [killed, ...found].some(({ twice }) => twice > 0))
  process.exitCode = 1;
