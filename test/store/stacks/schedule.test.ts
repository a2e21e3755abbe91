import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { nextDueTime } from '../../../src/store/stacks/schedule/claim.ts';
import {
  type Claim,
  endPass,
  type Facts,
  lookAtStack,
  releaseLeases,
  renewLease,
  type Verdict,
  wakeStack,
  wakeStackSoon,
} from '../../../src/store/stacks/schedule.ts';
import { desireVersion, findStackById } from '../../../src/store/stacks/stacks.ts';
import { claimDue } from '../../claim-due.ts';
import { openTestDatabase } from '../../open-database.ts';
import { insertAccounts, makeStack, noView } from './make-stack.ts';

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
  await insertAccounts(database.query, 'account1');
});
afterEach(() => database.close());

const claimAt = async (now: number, owner = 'one') =>
  (await claimDue(database, { owner, now, until: now + 60 }, 1))[0];
const facts: Facts = {
  view: { ...noView, outputs: [{ key: 'Seen', value: '1' }] },
  settled_version: 'v1',
  tried_wish: 'v1',
  refused_wish: '',
  refused_reason: '',
  troubles: 0,
  undoing: '',
  undoing_progress: '',
};
const verdict: Verdict = {
  status: 'CREATE_COMPLETE',
  status_reason: '',
  updated_at: 1001,
  deleted_at: null,
  next_at: 9000,
  swept: null,
};
const read = (claim: Claim) => findStackById(database.query, claim.id);

describe('the schedule', () => {
  it('gives a due stack to one worker only', async () => {
    await makeStack(database.query);
    const claims = await Promise.all([claimAt(1000, 'one'), claimAt(1000, 'two'), claimAt(1000, 'three')]);
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('gives many due stacks at once, those that wait longest first, no more than wanted, each to one worker', async () => {
    const times = [700, 900, 300, 500, 1001];
    for (const time of times) await makeStack(database.query, { id: `mo-${time}`, next_at: time });
    const lease = { now: 1000, until: 1060 };
    const claims = await claimDue(database, { ...lease, owner: 'one' }, 2);
    expect(claims.map(({ id, epoch, lease_owner: owner }) => [id, epoch, owner])).toEqual([
      ['mo-300', 1, 'one'],
      ['mo-500', 1, 'one'],
    ]);
    const rest = await Promise.all(
      ['two', 'three', 'four'].map((owner) => claimDue(database, { ...lease, owner }, 9)),
    );
    expect(
      rest
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['mo-700', 'mo-900']);
  });

  it('gives no stack before it is due', async () => {
    await makeStack(database.query, { next_at: 1001 });
    expect(await claimAt(1000)).toBeUndefined();
    expect(await nextDueTime(database.query, 1000)).toBe(1001);
  });

  it('gives a stack to another worker after the lease of a dead one expired', async () => {
    await makeStack(database.query);
    const first = await claimAt(1000);
    expect(await claimAt(1059)).toBeUndefined();
    const second = await claimAt(1061, 'two');
    expect(second?.epoch).toBe((first?.epoch ?? 0) + 1);
  });

  it('keeps a renewed lease', async () => {
    await makeStack(database.query);
    const claim = (await claimAt(1000)) as Claim;
    expect(await renewLease(database.query, claim, 2000)).toBe(true);
    expect(await claimAt(1500, 'two')).toBeUndefined();
  });

  it('records the result of a pass and schedules the next', async () => {
    await makeStack(database.query);
    const claim = (await claimAt(1000)) as Claim;
    expect(await endPass(database.query, claim, { facts, verdict, now: 1001 })).toBe('noted');
    expect(await read(claim)).toMatchObject({ ...facts, ...verdict, lease_until: 0 });
    expect(await claimAt(8999)).toBeUndefined();
  });

  it('fences off a worker that stalled past its lease: nothing is written', async () => {
    await makeStack(database.query);
    const stalled = (await claimAt(1000)) as Claim;
    const current = (await claimAt(2000, 'two')) as Claim;
    expect(await renewLease(database.query, stalled, 9999)).toBe(false);
    expect(await endPass(database.query, stalled, { facts, verdict, now: 2001 })).toBe('fenced');
    expect(await read(current)).toMatchObject({
      status: 'CREATE_IN_PROGRESS',
      view: noView,
      lease_owner: 'two',
    });
  });

  it('keeps only the facts of a pass that a newer request overtook, and is due at once', async () => {
    await makeStack(database.query);
    const claim = (await claimAt(1000)) as Claim;
    await desireVersion(database.query, claim.id, { version: 'v2', now: 1005, by: 'root' });
    expect(await endPass(database.query, claim, { facts, verdict, now: 1010 })).toBe('overtaken');
    expect(await read(claim)).toMatchObject({
      view: facts.view,
      settled_version: 'v1',
      status: 'UPDATE_IN_PROGRESS',
      desired_version: 'v2',
      next_at: 1010,
    });
  });

  it('does not lose a wake-up during a pass', async () => {
    await makeStack(database.query);
    const claim = (await claimAt(1000)) as Claim;
    await wakeStack(database.query, claim.id, 1005);
    await endPass(database.query, claim, { facts, verdict, now: 1010 });
    expect(await claimAt(1010)).toBeDefined();
  });

  it('records the verdict of a pass during which a report asked for another one soon, and runs that one in time', async () => {
    await makeStack(database.query);
    const claim = (await claimAt(1000)) as Claim;
    for (const now of [1005, 1006]) await wakeStackSoon(database.query, claim.id, { now, at: now + 20 });
    expect(await endPass(database.query, claim, { facts, verdict, now: 1010 })).toBe('noted');
    expect(await read(claim)).toMatchObject({ status: verdict.status, next_at: 1026 });
  });

  it.each([
    { planned: 1015, deletedAt: null, expected: 1015 },
    { planned: 5000, deletedAt: null, expected: 1025 },
    { planned: null, deletedAt: null, expected: 1025 },
    { planned: null, deletedAt: 1010, expected: null },
  ])(
    'is due at $expected if a pass plans $planned, deletes at $deletedAt, and a report during it asks for 1025',
    async ({ planned, deletedAt, expected }) => {
      await makeStack(database.query);
      const claim = (await claimAt(1000)) as Claim;
      await wakeStackSoon(database.query, claim.id, { now: 1005, at: 1025 });
      const ended = { ...verdict, next_at: planned, deleted_at: deletedAt };
      await endPass(database.query, claim, { facts, verdict: ended, now: 1010 });
      expect(await read(claim)).toMatchObject({ next_at: expected });
    },
  );

  it('brings the next look at a stack forward, and never puts it off', async () => {
    const { id, vendor, region } = await makeStack(database.query, { next_at: 5000 });
    for (const [at, expected] of [
      [6000, 5000],
      [2000, 2000],
      [3000, 2000],
    ] as const) {
      expect(await lookAtStack(database.query, { id, vendor, region }, at)).toBe(true);
      expect(await nextDueTime(database.query, 1000)).toBe(expected);
    }
  });

  it('looks again at a stack that changed during a pass', async () => {
    const stack = await makeStack(database.query);
    const claim = (await claimAt(1000)) as Claim;
    await lookAtStack(database.query, stack, 1200);
    await endPass(database.query, claim, { facts, verdict, now: 1010 });
    expect(await nextDueTime(database.query, 1009)).toBeLessThanOrEqual(1200);
  });

  it('does not look at a stack of another vendor or region, or at one that is deleted', async () => {
    const { id, vendor, region } = await makeStack(database.query, { next_at: 5000 });
    const gone = await makeStack(database.query, { id: 'mo-gone', deleted_at: 900, next_at: null });
    for (const other of [{ id, vendor, region: 'elsewhere' }, { id, vendor: 'other', region }, gone])
      expect(await lookAtStack(database.query, other, 1000)).toBe(false);
    expect(await nextDueTime(database.query, 1000)).toBe(5000);
  });

  it('releases leases on a graceful stop', async () => {
    await makeStack(database.query);
    await claimAt(1000, 'one');
    await releaseLeases(database.query, 'two');
    expect(await claimAt(1001, 'two')).toBeUndefined();
    await releaseLeases(database.query, 'one');
    expect(await claimAt(1001, 'two')).toBeDefined();
  });

  it('distributes a hundred stacks over eight workers without overlap', async () => {
    for (let index = 0; index < 100; index += 1) await makeStack(database.query, { id: `mo-${index}` });
    const taken: string[] = [];
    const work = async (owner: string) => {
      for (let claim = await claimAt(1000, owner); claim; claim = await claimAt(1000, owner))
        taken.push(claim.id);
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => work(`worker ${index}`)));
    expect(new Set(taken).size).toBe(100);
    expect(taken).toHaveLength(100);
  });
});
