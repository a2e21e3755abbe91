import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/basics/clock.ts';
import { Lanes } from '../../src/reconcile/turns/lanes.ts';
import type { Database } from '../../src/store/database/database.ts';
import { openTestDatabase } from '../open-database.ts';
import { insertAccounts, makeStack } from '../store/stacks/make-stack.ts';

let database: Database;
let clock: VirtualClock;
let lanes: Lanes;
let made: number;
beforeEach(async () => {
  database = await openTestDatabase();
  clock = new VirtualClock();
  const limits = { perLane: 4, perAccount: 8 };
  lanes = new Lanes({ database, clock, owner: 'one', leaseMs: 7_000, ...limits });
  made = 0;
  await insertAccounts(database.query, 'a', 'b', 'c');
});
afterEach(() => database.close());

/** Stacks that are due, the earlier ones longer. */
async function make(account_id: string, count: number, credential_id = 'key'): Promise<void> {
  for (let each = 0; each < count; each += 1) {
    made += 1;
    const next_at = clock.now() - 10_000 + made;
    await makeStack(database.query, { id: `mo-${made}`, account_id, credential_id, next_at });
  }
}

function counts(claims: readonly { account_id: string; credential_id: string }[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account_id: account, credential_id: credential } of claims) {
    const name = `${account} ${credential}`;
    sums[name] = (sums[name] ?? 0) + 1;
  }
  return sums;
}

describe('the places of the loop', () => {
  it('are shared by all accounts that wait, also with one that waited longer and has more stacks', async () => {
    await make('a', 20);
    await make('b', 2);
    await make('c', 1);
    expect(counts(await lanes.claim(4))).toEqual({ 'a key': 2, 'b key': 1, 'c key': 1 });
  });

  it('go to the accounts in turn, also one at a time', async () => {
    await make('a', 5);
    await make('b', 5);
    await make('c', 5);
    const order: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const [claim] = await lanes.claim(1);
      order.push(claim?.account_id ?? '');
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('are never all taken by one credential, nor by one account with several', async () => {
    await make('a', 20, 'one');
    expect(counts(await lanes.claim(16))).toEqual({ 'a one': 4 });
    expect(await lanes.claim(16)).toEqual([]);
    await make('a', 20, 'two');
    await make('a', 20, 'three');
    clock.advance(1_000);
    expect(counts(await lanes.claim(16))).toEqual({ 'a two': 4 });
    await make('b', 1);
    clock.advance(1_000);
    expect(counts(await lanes.claim(16))).toEqual({ 'b key': 1 });
  });

  it('are free again when a pass ends', async () => {
    await make('a', 20);
    const [first] = await lanes.claim(16);
    if (first) lanes.ended(first);
    clock.advance(1_000);
    expect(await lanes.claim(16)).toHaveLength(1);
  });

  it('go to the stacks of a credential in the order in which they became due', async () => {
    await make('a', 3);
    expect((await lanes.claim(3)).map(({ id }) => id)).toEqual(['mo-1', 'mo-2', 'mo-3']);
  });

  it('go to other stacks when another server has all that would be next', async () => {
    await make('a', 1);
    await make('b', 1);
    await make('c', 1);
    const busy = new Lanes({ database, clock, owner: 'two', leaseMs: 7_000, perLane: 4, perAccount: 8 });
    expect(counts(await busy.claim(2))).toEqual({ 'a key': 1, 'b key': 1 });
    expect(counts(await lanes.claim(1))).toEqual({ 'c key': 1 });
  });

  it('go to each stack once when two servers claim at the same time', async () => {
    await make('a', 4);
    await make('b', 4);
    const parts = { database, clock, leaseMs: 7_000, perLane: 4, perAccount: 8 };
    const servers = ['one', 'two', 'three'].map((owner) => new Lanes({ ...parts, owner }));
    const claims = (await Promise.all(servers.map((server) => server.claim(16)))).flat();
    expect(claims.map(({ id }) => id).toSorted()).toEqual(
      Array.from({ length: 8 }, (_, index) => `mo-${index + 1}`),
    );
  });
});
