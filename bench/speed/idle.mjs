// What a server does while 100,000 settled stacks change nothing, and what 1,000 creations cost next to them, against a server
// with ten. See ../README.md.
// Usage after a build: node bench/speed/idle.mjs [settled stacks] [changing stacks] [seconds]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { call } from './load.mjs';
import { report } from './report.mjs';
import { copyRows, openRows } from './seed.mjs';
import { cpuMs, memoryMb, startServer } from './server.mjs';
import { signIn, template } from './stacks.mjs';

const [settled = 100_000, changing = 1_000, seconds = 60] = process.argv.slice(2).map(Number);
/** The stacks of one are looked at together. Their looks are spread over `sweepSeconds`. */
const credentials = 10;
const sweepSeconds = 300;
const counter = join(import.meta.dirname, 'count-queries.cjs');

/** All settled, and seen by a sweep before. */
async function fill(data) {
  const rows = await openRows(data);
  const [{ id, account_id: account }] = await rows.all('select id, account_id from stacks');
  const credential = `'IDLE' || (i % ${credentials})`;
  const now = Date.now();
  const atRest = {
    next_at: `${now + 7 * 86_400_000} + i`,
    swept: `'0'`,
    lease_until: '0',
    credential_id: credential,
  };
  await copyRows(rows, {
    table: 'stacks',
    where: `id = '${id}'`,
    count: settled,
    change: { id: `'idle-' || i`, ...atRest },
  });
  const cloud = `'${account}/' || ${credential}`;
  await copyRows(rows, {
    table: 'sandbox_stacks',
    where: `stack_id = '${id}'`,
    count: settled,
    change: { stack_id: `'idle-' || i`, cloud_account: cloud, revision: '0' },
  });
  await rows.run('delete from sweeps');
  for (let each = 0; each < credentials; each += 1) {
    const place = [account, 'sandbox', `IDLE${each}`, 'ap-northeast-1'];
    const due = now + 1000 + (each * sweepSeconds * 1000) / credentials;
    await rows.run(
      `insert into sweeps (id, account_id, vendor, credential_id, region, next_at, lease_until, lease_owner, epoch, requests, troubles)
       values ('${JSON.stringify(place)}', ${place.map((text) => `'${text}'`).join(', ')}, ${due}, 0, '', 0, 0, 0)`,
    );
  }
  await rows.finish();
  await rows.close();
}

/** Stacks that were described are looked at soon: here nobody has read any. */
async function forgetReaders(data) {
  const rows = await openRows(data);
  await rows.run(`update stacks set next_at = ${Date.now() + 7 * 86_400_000}`);
  await rows.close();
}

const ofCredential = (number) => {
  const made = template(number);
  return { ...made, vendor: { sandbox: { ...made.vendor.sandbox, cred: `IDLE${number}` } } };
};

/** A server with one settled stack of each credential. */
async function prepare(data) {
  const server = await startServer({ ALM_DATA: data });
  const token = await signIn(server);
  for (let each = 0; each < credentials; each += 1) await createStack(server, token, ofCredential(each));
  await server.stop();
}

/** Resolves when it is complete. */
async function createStack(server, token, body) {
  const { stack_id: id } = await call(server.url, { method: 'POST', path: '/v3/alm/template', token, body });
  const statusOf = async () => (await call(server.url, { path: `/v3/alm/stack/${id}`, token })).stack_status;
  let status = 'CREATE_IN_PROGRESS';
  while (status === 'CREATE_IN_PROGRESS') {
    await setTimeout(50);
    status = await statusOf();
  }
  if (status !== 'CREATE_COMPLETE') throw new Error(`stack ${id} is ${status}`);
}

async function create(server, token, first) {
  let sent = 0;
  const client = async () => {
    while (sent < changing) await createStack(server, token, template(first + sent++));
  };
  await Promise.all(Array.from({ length: 20 }, client));
}

/** `first`: the number of the first stack that is created, as a cloud account has room for few. */
async function measure(data, first) {
  await forgetReaders(data);
  const queries = join(data, 'queries');
  const server = await startServer({
    ALM_DATA: data,
    BENCH_QUERIES: queries,
    NODE_OPTIONS: `--require ${counter}`,
  });
  const counted = () => Number(readFileSync(queries, 'utf8'));
  const token = await signIn(server);
  await setTimeout(10_000); // what a start does
  const before = { cpu: cpuMs(server.pid), queries: counted(), at: performance.now() };
  await setTimeout(seconds * 1000);
  const tookMs = performance.now() - before.at;
  const idle = {
    share: (100 * (cpuMs(server.pid) - before.cpu)) / tookMs,
    queries: ((counted() - before.queries) * 1000) / tookMs,
  };
  const [cpu, started] = [cpuMs(server.pid), performance.now()];
  await create(server, token, first);
  const creates = {
    perSecond: (changing * 1000) / (performance.now() - started),
    cpu: (cpuMs(server.pid) - cpu) / changing,
  };
  const memory = memoryMb(server.pid);
  await server.stop();
  return { idle, creates, memory };
}

const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
await prepare(data);
const one = await measure(data, 1_000);
await fill(data);
const many = await measure(data, 1_000_000);
const name = `${settled.toLocaleString('en')} settled`;
report('idle', [
  { name: 'idle, 10 settled: CPU', value: one.idle.share, unit: '% of a core', isBaseline: true },
  {
    name: `idle, ${name}: CPU`,
    value: many.idle.share,
    unit: '% of a core',
    ratio: many.idle.share / one.idle.share,
  },
  { name: 'idle, 10 settled: queries', value: one.idle.queries, unit: '/s', isBaseline: true },
  {
    name: `idle, ${name}: queries`,
    value: many.idle.queries,
    unit: '/s',
    ratio: many.idle.queries / one.idle.queries,
  },
  {
    name: `create ${changing}, 10 settled`,
    value: one.creates.perSecond,
    unit: '/s',
    isBaseline: true,
    cpu: one.creates.cpu,
  },
  {
    name: `create ${changing}, ${name}`,
    value: many.creates.perSecond,
    unit: '/s',
    ratio: many.creates.perSecond / one.creates.perSecond,
    cpu: many.creates.cpu,
  },
  { name: `memory, ${name}`, value: many.memory, unit: 'MB', ratio: many.memory / one.memory },
]);
rmSync(data, { recursive: true, force: true });
