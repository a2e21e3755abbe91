// The same requests on a small installation and on one with 100,000 stacks, 1,000 versions of each of ten stacks, 10 million events
// and a million entries of the audit log, all of one account. See ../README.md.
// Usage after a build: node bench/speed/large.mjs [stacks] [events] [audit entries] [versions] [seconds per figure]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from './load.mjs';
import { report } from './report.mjs';
import { copyRows, openRows, sealTokens } from './seed.mjs';
import { startServer } from './server.mjs';
import { makeStacks, signIn } from './stacks.mjs';

const [stacks = 100_000, events = 10_000_000, entries = 1_000_000, versions = 1_000, seconds = 2] =
  process.argv.slice(2).map(Number);
const small = 100;
const rounds = 3;
/** The stacks that are described. */
const sample = Array.from({ length: small }, (_, n) => `large-${1 + Math.floor((n * stacks) / small)}`);

/** Copies of the first stack; each has events and a version, ten of the stacks that were there have many. */
async function fill(data) {
  const rows = await openRows(data);
  const [{ id, account_id: account, created_at: created }] = await rows.all(
    'select id, account_id, created_at from stacks order by created_at, id limit 1',
  );
  const others = await rows.all(`select id from stacks order by created_at, id limit 10`);
  const rest = { next_at: `${Date.now() + 7 * 86_400_000} + i`, lease_until: '0', swept: 'null' };
  const copied = {
    id: `'large-' || i`,
    desired_version: `'large-v-' || i`,
    settled_version: `'large-v-' || i`,
  };
  await copyRows(rows, {
    table: 'stacks',
    where: `id = '${id}'`,
    count: stacks,
    change: { ...copied, ...rest, created_at: `${created} - i`, changed_at: `${created} - i` },
  });
  await copyRows(rows, {
    table: 'versions',
    where: `stack_id = '${id}'`,
    count: stacks,
    change: { id: `'large-v-' || i`, stack_id: `'large-' || i` },
  });
  for (const { id: other } of others)
    await copyRows(rows, {
      table: 'versions',
      where: `stack_id = '${other}'`,
      count: versions,
      change: { id: `'${other}-v-' || i`, number: '1 + i' },
    });
  const perStack = Math.ceil(events / stacks);
  for (let event = 0; event < perStack; event += 1)
    await copyRows(rows, {
      table: 'events',
      where: `stack_id = '${id}' and kind = 'resource'`,
      count: stacks,
      change: { stack_id: `'large-' || i`, number: String(event + 1), vendor_event_id: `'e-${event}'` },
    });
  await rows.run(`update stacks set event_count = ${perStack} where id like 'large-%'`);
  const [{ last }] = await rows.all(`select max(number) as last from audit where account_id = '${account}'`);
  await copyRows(rows, {
    table: 'audit',
    where: `account_id = '${account}'`,
    count: entries,
    change: { number: `${last} + i`, request_id: `'large-' || i` },
  });
  await sealTokens(rows, data, sample);
  // A stack that is described is looked at soon: it must be in the cloud.
  for (const copy of sample)
    await copyRows(rows, {
      table: 'sandbox_stacks',
      where: `stack_id = '${id}'`,
      count: 1,
      change: { stack_id: `'${copy}'` },
    });
  await rows.finish();
  await rows.close();
}

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

async function measure(server, kinds) {
  const best = new Map();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, next] of Object.entries(kinds)) {
      const found = await load(server, next, { clients: 2, seconds });
      const before = best.get(name);
      if (!before || found.cpu < before.cpu) best.set(name, found);
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
await fill(data);
console.error(`filled in ${Math.round((performance.now() - filling) / 1000)} s`);
const after = await startServer({ ALM_DATA: data });
const large = await measure(after, requests(await signIn(after), { ids: sample, audited: ids.slice(0, 10) }));
await after.stop();
rmSync(data, { recursive: true, force: true });

report(
  'large',
  [...few].flatMap(([name, base]) => {
    const found = large.get(name);
    const row = ({ perSecond, cpu, p50, p99 }) => ({ value: perSecond, unit: '/s', cpu, p50, p99 });
    return [
      { name: `small: ${name}`, ...row(base), isBaseline: true },
      { name: `large: ${name}`, ...row(found), ratio: base.cpu / found.cpu },
    ];
  }),
);
