// The same requests on a small installation and on one with 100,000 stacks, 1,000 versions of each of ten stacks, 10 million events
// and a million entries of the audit log, all of one account. See ../README.md.
// Usage after a build: node bench/speed/large.mjs [stacks] [events] [audit entries] [versions] [seconds per figure]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillAccount } from './large-account.mjs';
import { load } from './load.mjs';
import { newDatabase } from './postgres.mjs';
import { report } from './report.mjs';
import { startServer } from './server.mjs';
import { makeStacks, signIn } from './stacks.mjs';

const args = process.argv.slice(2).map(Number);
const [stacks = 100_000, events = 10_000_000, entries = 1_000_000, versions = 1_000, seconds = 2] = args;
const small = 100;
const rounds = 3;

const requestsOf = (token, { ids, audited }) => {
  const of = (n) => ids[n % ids.length];
  return {
    'list, first page of 100': () => ({ path: '/v3/alm/stack?limit=100', token }),
    'summaries, first page of 100': () => ({ path: '/v3/alm/stack?view=summary&limit=100', token }),
    'summaries in a status, 100': () => ({
      path: '/v3/alm/stack?view=summary&limit=100&status=CREATE_COMPLETE',
      token,
    }),
    'describe one stack': (n) => ({ path: `/v3/alm/stack/${of(n)}`, token }),
    'events, page of 100': (n) => ({ path: `/v3/alm/stack/${of(n)}/events?limit=100`, token }),
    'newest version': (n) => ({
      path: `/v3/alm/template/${audited[n % audited.length]}`,
      token,
    }),
    'audit, newest 100': () => ({ path: '/v3/audit?limit=100', token }),
    'audit of one stack': (n) => ({
      path: `/v3/audit?limit=100&resource=mrn:alm:stack:${audited[n % audited.length]}`,
      token,
    }),
    'audit, denied': () => ({ path: '/v3/audit?limit=100&decision=denied', token }),
    'audit of an actor': () => ({ path: '/v3/audit?limit=100&actor=nobody', token }),
  };
};

/** The CPU of the server and of PostgreSQL. */
const total = ({ cpu, databaseCpu }) => cpu + databaseCpu;

/** An installation of its own with an account of that size. */
async function install(size) {
  const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  const url = process.env.DATABASE_URL && (await newDatabase());
  const settings = { ALM_DATA: data, ...(url ? { DATABASE_URL: url } : {}) };
  const maker = await startServer(settings);
  // The newest, of which the first page of the list is: those that are copied have no token that can be shown.
  const made = await makeStacks(maker, await signIn(maker), { count: small });
  await maker.stop();
  const sample = Array.from(
    { length: small },
    (_, n) => `large-${1 + Math.floor((n * size.stacks) / small)}`,
  );
  await fillAccount({ data, url }, { ...size, sample });
  const server = await startServer(settings);
  const stop = async () => {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  };
  const asked = requestsOf(await signIn(server), { ids: sample, audited: made.slice(0, 10) });
  return { server, asked, stop };
}

/** One after the other, so that the machine is the same for both; the best of each. */
async function compare(few, many) {
  const best = new Map(Object.keys(few.asked).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, found] of best)
      for (const [index, { server, asked }] of [few, many].entries()) {
        const measured = await load(server, asked[name], { clients: 2, seconds });
        if (!found[index] || total(measured) < total(found[index])) found[index] = measured;
      }
  return best;
}

const filling = performance.now();
const few = await install({
  stacks: small,
  events: (small * events) / stacks,
  entries: 1000,
  versions: 1,
});
const many = await install({ stacks, events, entries, versions });
console.error(`filled in ${Math.round((performance.now() - filling) / 1000)} s`);
const best = await compare(few, many);
await few.stop();
await many.stop();

report(
  'large',
  [...best].flatMap(([name, [base, found]]) => {
    const row = ({ perSecond, ...rest }) => ({ value: perSecond, unit: '/s', ...rest });
    return [
      { name: `small: ${name}`, ...row(base), isBaseline: true },
      { name: `large: ${name}`, ...row(found), ratio: total(base) / total(found) },
    ];
  }),
);
