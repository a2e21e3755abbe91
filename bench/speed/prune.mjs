// What readers notice while old history is deleted: descriptions during it and after it. Half of the events and of the audit log is old.
// See ../README.md.
// Usage after a build: node bench/speed/prune.mjs [stacks] [events] [audit entries]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillAccount } from './large-account.mjs';
import { load } from './load.mjs';
import { report } from './report.mjs';
import { openRows } from './seed.mjs';
import { startServer } from './server.mjs';
import { makeStacks, signIn } from './stacks.mjs';

const [stacks = 50_000, events = 10_000_000, entries = 1_000_000] = process.argv.slice(2).map(Number);
const oldAt = Date.now() - 60 * 86_400_000;
const sample = Array.from({ length: 100 }, (_, n) => `large-${1 + Math.floor((n * stacks) / 100)}`);
const next = (token) => (n) => ({ path: `/v3/alm/stack/${sample[n % sample.length]}`, token });

/** History is deleted in the order of stacks and of entries. What shows the present state of a stack stays. */
const leftOf = {
  events: `select count(*) as count from events where at = ${oldAt} and stack_id = (select max(id) from stacks where id like 'large-%')`,
  audit: `select count(*) as count from (select min(at) as at from audit where account_id = (select id from accounts)) first where at = ${oldAt}`,
};

async function hasOld(data, table) {
  const rows = await openRows(data);
  const [{ count }] = await rows.all(leftOf[table]);
  await rows.close();
  return Number(count) > 1 - Number(table === 'audit');
}

const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
const maker = await startServer({ ALM_DATA: data });
await makeStacks(maker, await signIn(maker), { count: 10 });
await maker.stop();
await fillAccount({ data }, { stacks, events, entries, versions: 1, sample, oldAt });

const kept = await startServer({ ALM_DATA: data });
const before = await load(kept, next(await signIn(kept)), { clients: 2, seconds: 10 });
await kept.stop();

/** Describes stacks until nothing old is left to delete. */
async function whileDeleting(table, settings) {
  const server = await startServer({ ALM_DATA: data, ...settings });
  const token = await signIn(server);
  const started = performance.now();
  const parts = [];
  while (parts.length === 0 || (await hasOld(data, table)))
    parts.push(await load(server, next(token), { clients: 2, seconds: 5 }));
  const seconds = (performance.now() - started) / 1000;
  await server.stop();
  return { seconds, parts };
}

const worstOf = (parts) => ({
  value: Math.min(...parts.map(({ perSecond }) => perSecond)),
  p50: Math.max(...parts.map(({ p50 }) => p50)),
  p99: Math.max(...parts.map(({ p99 }) => p99)),
});
const found = {
  events: await whileDeleting('events', { ALM_KEEP_EVENTS_DAYS: '30' }),
  audit: await whileDeleting('audit', { ALM_KEEP_AUDIT_DAYS: '30' }),
};
rmSync(data, { recursive: true, force: true });

const { perSecond: value, ...times } = before;
report('prune', [
  { name: 'describe', value, unit: '/s', isBaseline: true, ...times },
  ...Object.entries({ events: events / 2, audit: entries / 2 }).flatMap(([table, deleted]) => [
    { name: `${table}: deleted`, value: deleted / found[table].seconds, unit: '/s' },
    {
      name: `describe while ${deleted.toLocaleString('en')} (${table}) are deleted, worst 5 s`,
      unit: '/s',
      ratio: worstOf(found[table].parts).value / value,
      ...worstOf(found[table].parts),
    },
  ]),
]);
