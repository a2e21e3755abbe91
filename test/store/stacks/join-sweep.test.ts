import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import {
  claimDueSweep,
  dropSweep,
  joinSweep,
  type Sweep,
} from '../../../src/store/stacks/schedule/sweeps.ts';
import { onPostgres, openTestDatabase } from '../../open-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query.deleteFrom('sweeps').execute();
});

const place = { account_id: 'a', vendor: 'sandbox', credential_id: 'c', region: 'r' };
const join = (query: Database['query']) => joinSweep(database, query, { place, nextAt: 5 });
const claim = async () => (await claimDueSweep(database, { owner: 'me', now: 10, until: 20 })) as Sweep;
const sweeps = () => database.query.selectFrom('sweeps').select('next_at').execute();

describe('a sweep', () => {
  it('begins with the first stack that joins, and the next ones do not delay it', async () => {
    await database.transaction(join);
    await database.transaction((query) => joinSweep(database, query, { place, nextAt: 900 }));
    expect(await sweeps()).toEqual([{ next_at: 5 }]);
  });

  it('that holds no stack ends once, and not if another server has claimed it since', async () => {
    await database.transaction(join);
    const first = await claim();
    await database.query.updateTable('sweeps').set({ epoch: 9 }).execute();
    expect(await dropSweep(database, first)).toBe(false);
    expect([await dropSweep(database, { ...first, epoch: 9 }), await sweeps()]).toEqual([true, []]);
  });
});

// SQLite has one transaction at a time.
describe.runIf(onPostgres)('a sweep on PostgreSQL', () => {
  it('is joined by two transactions at the same time, without waiting', async () => {
    await database.transaction(join);
    await database.transaction(async (first) => {
      await join(first);
      await database.transaction(join);
    });
    expect(await sweeps()).toHaveLength(1);
  });

  it('ends only after those that were joining, and then begins with the next one', async () => {
    await database.transaction(join);
    const claimed = await claim();
    const order: string[] = [];
    let ending: Promise<unknown> = Promise.resolve();
    await database.transaction(async (query) => {
      await join(query);
      ending = dropSweep(database, claimed).then(() => order.push('ended'));
      await sweeps();
      order.push('joined');
    });
    await ending;
    expect(order).toEqual(['joined', 'ended']);
    await database.transaction(join);
    expect(await sweeps()).toHaveLength(1);
  });
});
