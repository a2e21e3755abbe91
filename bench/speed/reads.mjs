// Reads over HTTP against a bare Fastify in the same run. See ../README.md.
// Usage after a build: node bench/speed/reads.mjs [seconds per figure] [rounds]; DIST=<directory> measures another build
import { load } from './load.mjs';
import { startBareFastify, startServer } from './server.mjs';
import { makeStacks, signIn } from './stacks.mjs';

const [seconds = 3, rounds = 3] = process.argv.slice(2).map(Number);
const bare = await startBareFastify();
const server = await startServer();
const token = await signIn(server);
const ids = await makeStacks(server, token, 100);

const kinds = {
  'bare Fastify': [bare, () => ({ path: '/' })],
  '/healthz': [server, () => ({ path: '/healthz' })],
  'describe one stack': [server, (n) => ({ path: `/v3/alm/stack/${ids[n % ids.length]}`, token })],
  'list 100 stacks': [server, () => ({ path: '/v3/alm/stack', token })],
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
console.log(`10 clients, best of ${rounds} rounds of ${seconds} s`);
for (const [name, { perSecond, cpu, p50, p99 }] of best)
  console.log(
    `${name.padEnd(24)}${perSecond.toFixed(0).padStart(7)}/s (${(perSecond / base.perSecond).toFixed(3)}×)${cpu.toFixed(3).padStart(8)} ms CPU (${(cpu / base.cpu).toFixed(1)}×)  p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms`,
  );
await Promise.all([server.stop(), bare.stop()]);
