// The same requests on a small installation and on one with 100,000 stacks, 1,000 versions of each of ten stacks, 10 million events
// and a million entries of the audit log, all of one account. See ../README.md.
// Usage after a build: node bench/speed/large.mjs [stacks] [events] [audit entries] [versions] [seconds per figure]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillAccount } from './large-account.mjs';
import { load } from './load.mjs';
import { report } from './report.mjs';
import { startServer } from './server.mjs';
import { makeStacks, signIn } from './stacks.mjs';

const [stacks = 100_000, events = 10_000_000, entries = 1_000_000, versions = 1_000, seconds = 2] =
  process.argv.slice(2).map(Number);
const small = 100;
const rounds = 3;
/** The stacks that are described. */
const sample = Array.from({ length: small }, (_, n) => `large-${1 + Math.floor((n * stacks) / small)}`);

const requests = (token, { ids, audited }) => {
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

async function measure(server, kinds) {
  const best = new Map();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, next] of Object.entries(kinds)) {
      const found = await load(server, next, { clients: 2, seconds });
      const before = best.get(name);
      if (!before || total(found) < total(before)) best.set(name, found);
    }
  return best;
}

const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
const before = await startServer({ ALM_DATA: data });
const token = await signIn(before);
const ids = await makeStacks(before, token, small);
const few = await measure(before, requests(token, { ids, audited: ids.slice(0, 10) }));
await before.stop();
const filling = performance.now();
await fillAccount(data, { stacks, events, entries, versions, sample });
console.error(`filled in ${Math.round((performance.now() - filling) / 1000)} s`);
const after = await startServer({ ALM_DATA: data });
const large = await measure(after, requests(await signIn(after), { ids: sample, audited: ids.slice(0, 10) }));
await after.stop();
rmSync(data, { recursive: true, force: true });

report(
  'large',
  [...few].flatMap(([name, base]) => {
    const found = large.get(name);
    const row = ({ perSecond, ...rest }) => ({ value: perSecond, unit: '/s', ...rest });
    return [
      { name: `small: ${name}`, ...row(base), isBaseline: true },
      { name: `large: ${name}`, ...row(found), ratio: total(base) / total(found) },
    ];
  }),
);
