import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkChain } from '../../../src/operations/audit/audit-chain.ts';
import { keyIdOf, publicPartOf, signingKeyOf } from '../../../src/operations/audit/checkpoint-key.ts';
import { deletionEntry } from '../../../src/operations/audit/deleted-start.ts';
import { recordOther } from '../../../src/operations/audit/write-entries.ts';
import { deleteOldHistory } from '../../../src/operations/retention/retention.ts';
import { insertAudit, listAudit } from '../../../src/store/access/audit.ts';
import { World } from '../../world.ts';

const dayMs = 86_400_000;

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const accountId = () => world.actor.accountId;
const entries = () => listAudit(world.database.query, accountId(), { order: 'oldest first', limit: 10_000 });
const check = () => checkChain(world.database.query, accountId(), { trusted });
const key = signingKeyOf(Buffer.alloc(32, 7));
const trusted = new Map([[keyIdOf(publicPartOf(key)), publicPartOf(key)]]);
const keepDays = (auditDays: number) =>
  deleteOldHistory({ ...world.service, signingKey: () => key }, { eventsDays: 0, auditDays });

const record = () =>
  recordOther(world.service, {
    account_id: accountId(),
    actor_kind: 'user',
    actor: 'root',
    action: 'self',
    resource: '/v3/session',
    route: 'v3ReadSession',
  });

/** Six entries, each a day after the one before. */
async function withHistory(): Promise<void> {
  for (let day = 0; day < 6; day += 1) {
    await record();
    world.clock.advance(dayMs);
  }
}

describe('entries of the audit log that are older than the operator keeps them', () => {
  it('are deleted, the log records that, and the rest of the chain verifies', async () => {
    await withHistory();
    expect(await keepDays(3)).toEqual({ events: 0, entries: 3 });
    const left = await entries();
    expect(left.map(({ number }) => number)).toEqual([4, 5, 6, 7]);
    expect(left.at(-1)).toMatchObject({
      actor_kind: 'operator',
      action: 'delete-old-entries',
      resource: 'audit entries 1 to 3',
    });
    expect(await check()).toMatchObject({ isIntact: true, entries: 4, deleted: 3 });
    expect(await keepDays(3)).toEqual({ events: 0, entries: 0 });
    expect(await entries()).toEqual(left);
  });

  it('are deleted also if there are more than one statement deletes', async () => {
    await record();
    const [first] = await entries();
    if (!first) throw new Error('no entry');
    const copies = Array.from({ length: 2100 }, (_, index) => ({ ...first, number: index + 2 }));
    await insertAudit(world.database.query, copies);
    world.clock.advance(5 * dayMs);
    await record();
    expect(await keepDays(3)).toEqual({ events: 0, entries: 2101 });
    expect((await entries()).map(({ number }) => number)).toEqual([2102, 2103]);
  });

  it('stay if the operator keeps all, and the newest entry stays in any case', async () => {
    await withHistory();
    expect(await keepDays(0)).toEqual({ events: 0, entries: 0 });
    world.clock.advance(100 * dayMs);
    await keepDays(1);
    expect(await keepDays(1)).toEqual({ events: 0, entries: 0 });
    await record();
    expect(await check()).toMatchObject({ isIntact: true });
  });

  it('can be deleted again later: the newest record of it counts', async () => {
    await withHistory();
    await keepDays(5);
    await withHistory();
    await keepDays(3);
    expect(await check()).toMatchObject({ isIntact: true });
    expect((await entries())[0]?.number).toBeGreaterThan(6);
  });

  it('count as deleted by age also if the server was killed in between, and the next round deletes the rest', async () => {
    await withHistory();
    const before = await entries();
    await keepDays(3);
    // As if two of the three deletions had not happened.
    await world.database.query.insertInto('audit').values(before.slice(1, 3)).execute();
    expect(await check()).toMatchObject({ isIntact: true, deleted: 1 });
    expect(await keepDays(3)).toEqual({ events: 0, entries: 2 });
    expect(await check()).toMatchObject({ isIntact: true, entries: 4, deleted: 3 });
  });

  it('are missed if nothing recorded their deletion, or more is missing than was recorded', async () => {
    await withHistory();
    const remove = (number: number) =>
      world.database.query
        .deleteFrom('audit')
        .where('account_id', '=', accountId())
        .where('number', '<=', number)
        .execute();
    await keepDays(3);
    await remove(4);
    expect(await check()).toMatchObject({ isIntact: false, number: 1, problem: 'is missing' });
  });

  it('are missed if a record of their deletion is not signed by this installation', async () => {
    await withHistory();
    const [, , third] = await entries();
    if (!third) throw new Error('The log is too short.');
    const stranger = signingKeyOf(Buffer.alloc(32, 8));
    await recordOther(world.service, deletionEntry(stranger, accountId(), third));
    await world.database.query.deleteFrom('audit').where('number', '<=', 3).execute();
    expect(await check()).toMatchObject({ isIntact: false, number: 1, problem: 'is missing' });
  });

  it('end at the first young one: an entry of a server whose clock is late deletes nothing younger', async () => {
    await withHistory();
    const late = { ...world.service, clock: { now: () => 1, after: () => () => {} } };
    await recordOther(late, {
      account_id: accountId(),
      actor_kind: 'user',
      actor: 'root',
      action: 'self',
      resource: '/v3/session',
      route: 'v3ReadSession',
    });
    await record();
    await keepDays(3);
    expect((await entries())[0]?.number).toBe(4);
  });
});
