// What a server does while 100,000 settled stacks change nothing, what 1,000 creations cost next to them, and what 1,000 stacks cost
// whose cloud takes minutes, against a server with ten. See ../README.md.
// Usage after a build: node bench/speed/idle.mjs [settled stacks] [changing stacks] [seconds]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { call } from './load.mjs';
import { postgresStatements } from './postgres.mjs';
import { report } from './report.mjs';
import { cpuMs, databaseCpuMs, memoryMb, startServer } from './server.mjs';
import { addSettled, credentials, forgetReaders, ofCredential } from './settled.mjs';
import { signIn, template } from './stacks.mjs';

const [settled = 100_000, changing = 1_000, seconds = 60] = process.argv.slice(2).map(Number);
const counter = join(import.meta.dirname, 'count-queries.cjs');
/** A creation takes about four minutes, as at a cloud. */
const slow = { ALM_SANDBOX_SPEED: '30' };

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

const acceptStack = (server, token, body) =>
  call(server.url, { method: 'POST', path: '/v3/alm/template', token, body });

/** A server with one settled stack of each credential. */
async function prepare(data) {
  const server = await startServer({ ALM_DATA: data });
  const token = await signIn(server);
  for (let each = 0; each < credentials; each += 1) await createStack(server, token, ofCredential(each));
  await server.stop();
}

/** `first`: the number of the first stack that is created, as a cloud account has room for few. */
async function createAll(create, first) {
  let sent = 0;
  const client = async () => {
    while (sent < changing) await create(template(first + sent++));
  };
  await Promise.all(Array.from({ length: 20 }, client));
}

/** A server whose statements are counted. */
async function startCounted(data, settings = {}) {
  await forgetReaders(data);
  const queries = join(data, 'queries');
  const server = await startServer({
    ALM_DATA: data,
    BENCH_QUERIES: queries,
    NODE_OPTIONS: `--require ${counter}`,
    ...settings,
  });
  const counted = process.env.DATABASE_URL
    ? await postgresStatements(process.env.DATABASE_URL)
    : async () => Number(readFileSync(queries, 'utf8'));
  return { server, token: await signIn(server), counted };
}

/** Shares of a core, and statements a second, from now on. */
async function watch({ server, counted }) {
  const before = { cpu: cpuMs(server.pid), databaseCpu: databaseCpuMs(), queries: await counted() };
  const started = performance.now();
  await setTimeout(seconds * 1000);
  const tookMs = performance.now() - started;
  return {
    share: (100 * (cpuMs(server.pid) - before.cpu)) / tookMs,
    databaseShare: (100 * (databaseCpuMs() - before.databaseCpu)) / tookMs,
    queries: (((await counted()) - before.queries) * 1000) / tookMs,
  };
}

async function measureCreations({ server, token }, first) {
  const [cpu, databaseCpu, started] = [cpuMs(server.pid), databaseCpuMs(), performance.now()];
  await createAll((body) => createStack(server, token, body), first);
  return {
    value: (changing * 1000) / (performance.now() - started),
    cpu: (cpuMs(server.pid) - cpu) / changing,
    databaseCpu: (databaseCpuMs() - databaseCpu) / changing,
  };
}

async function measure(data, first) {
  const fast = await startCounted(data);
  await setTimeout(10_000); // what a start does
  const idle = await watch(fast);
  const creates = await measureCreations(fast, first);
  const memory = memoryMb(fast.server.pid);
  await fast.server.stop();
  const waiting = await startCounted(data, slow);
  await createAll((body) => acceptStack(waiting.server, waiting.token, body), first + changing);
  const busy = await watch(waiting);
  await waiting.server.stop();
  return { idle, creates, memory, busy };
}

const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
await prepare(data);
const few = await measure(data, 1_000);
await addSettled(data, settled);
const many = await measure(data, 1_000_000);
rmSync(data, { recursive: true, force: true });

/** A figure beside ten settled stacks, and beside many. */
const pair = (name, unit, valueOf) => [
  { name: `${name}, 10 settled`, unit, isBaseline: true, ...valueOf(few) },
  {
    name: `${name}, ${settled.toLocaleString('en')} settled`,
    unit,
    ...valueOf(many),
    ratio: valueOf(many).value / valueOf(few).value,
  },
];
const shares = (title, of) => [
  ...pair(`${title}: CPU`, '% of a core', (found) => ({ value: of(found).share })),
  ...(process.env.DATABASE_URL
    ? pair(`${title}: CPU of PostgreSQL`, '% of a core', (found) => ({ value: of(found).databaseShare }))
    : []),
  ...pair(`${title}: statements`, '/s', (found) => ({ value: of(found).queries })),
];
report('idle', [
  ...shares('idle', ({ idle }) => idle),
  ...pair(`create ${changing}`, '/s', ({ creates }) => creates),
  ...shares(`${changing} changing`, ({ busy }) => busy),
  ...pair('memory', 'MB', ({ memory }) => ({ value: memory })),
]);
