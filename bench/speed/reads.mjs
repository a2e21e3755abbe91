// Reads over HTTP against a bare Fastify in the same run. See ../README.md.
// Usage after a build: node bench/speed/reads.mjs [seconds per figure] [rounds]; DIST=<directory> measures another build
import { load } from './load.mjs';
import { report } from './report.mjs';
import { startBareFastify, startServer } from './server.mjs';
import { makeStacks, signIn } from './stacks.mjs';

const [seconds = 3, rounds = 3] = process.argv.slice(2).map(Number);
const bare = await startBareFastify();
const server = await startServer();
const token = await signIn(server);
const ids = await makeStacks(server, token, { count: 100 });

const kinds = {
  'bare Fastify': [bare, () => ({ path: '/' })],
  '/healthz': [server, () => ({ path: '/healthz' })],
  // Its reply never changes: what a token costs, checked and recorded in the audit log.
  'a constant reply, with a token': [server, () => ({ path: '/v3/role/templates', token })],
  'describe one stack': [server, (n) => ({ path: `/v3/alm/stack/${ids[n % ids.length]}`, token })],
  'describe, unchanged (304)': [
    server,
    (n) => ({ path: `/v3/alm/stack/${ids[n % ids.length]}`, token, headers: { 'if-none-match': '*' } }),
  ],
  'list 100 stacks': [server, () => ({ path: '/v3/alm/stack', token })],
  'list, unchanged (304)': [
    server,
    () => ({ path: '/v3/alm/stack', token, headers: { 'if-none-match': '*' } }),
  ],
  'summary of 100 stacks': [server, () => ({ path: '/v3/alm/stack?view=summary', token })],
};

const best = new Map();
for (let round = 0; round < rounds; round += 1)
  for (const [name, [at, next]] of Object.entries(kinds)) {
    const found = await load(at, next, { seconds });
    const before = best.get(name);
    if (!before || found.cpu < before.cpu) best.set(name, found);
  }

const base = best.get('bare Fastify');
const rowOf = ([name, { perSecond, cpu, p50, p99 }]) => {
  const against = name === 'bare Fastify' ? { isBaseline: true } : { ratio: perSecond / base.perSecond };
  return Object.assign(against, { name, value: perSecond, unit: '/s', cpu, p50, p99 });
};
report('reads', [...best].map(rowOf));
await Promise.all([server.stop(), bare.stop()]);
