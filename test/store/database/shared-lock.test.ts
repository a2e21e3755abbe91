import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { onPostgres, openTestDatabase } from '../../open-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

// SQLite has one transaction at a time.
describe.runIf(onPostgres)('a shared lock', () => {
  it('is held by two transactions at once, and what needs the lock alone waits for both', async () => {
    const order: string[] = [];
    await database.transaction(async (first) => {
      await database.lockShared(first, 'door');
      await database.transaction(async (second) => {
        await database.lockShared(second, 'door');
        order.push('both inside');
      });
    });
    let alone: Promise<unknown> = Promise.resolve();
    await database.transaction(async (holder) => {
      await database.lockShared(holder, 'door');
      alone = database.transaction(async (query) => {
        await database.lock(query, 'door');
        order.push('alone');
      });
      await database.query.selectFrom('meta').select('key').execute();
      order.push('holder leaves');
    });
    await alone;
    expect(order).toEqual(['both inside', 'holder leaves', 'alone']);
  });
});
