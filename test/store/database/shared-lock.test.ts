import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Query } from '../../../src/store/database/database.ts';
import { onPostgres, openTestDatabase } from '../../open-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** A lock is held from the next statement on. */
const look = (query: Query) => query.selectFrom('meta').select('key').execute();

// SQLite has one transaction at a time.
describe.runIf(onPostgres)('a shared lock', () => {
  it('is held by two transactions at once, and what needs the lock alone waits for both', async () => {
    const order: string[] = [];
    await database.transaction(async (first) => {
      await database.lockShared(first, 'door');
      await look(first);
      await database.transaction(async (second) => {
        await database.lockShared(second, 'door');
        await look(second);
        order.push('both inside');
      });
    });
    let alone: Promise<unknown> = Promise.resolve();
    await database.transaction(async (holder) => {
      await database.lockShared(holder, 'door');
      await look(holder);
      alone = database.transaction(async (query) => {
        await database.lock(query, 'door');
        await look(query);
        order.push('alone');
      });
      await look(database.query);
      order.push('holder leaves');
    });
    await alone;
    expect(order).toEqual(['both inside', 'holder leaves', 'alone']);
  });
});
