import type { Database } from '../../src/store/database/database.ts';
import { attachDatabase } from '../../src/store/database/open-database.ts';
import type { SandboxStack } from '../../src/vendors/sandbox/cloud.ts';
import { resourcesAt } from '../../src/vendors/sandbox/timeline.ts';
import type { TestPlace } from '../open-database.ts';

async function withDatabase<T>(place: TestPlace, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await attachDatabase(place.url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Expires the leases, so that other servers take over from a dead one at once. */
export const expireLeases = (place: TestPlace): Promise<void> =>
  withDatabase(place, async ({ query }) => {
    await query.updateTable('stacks').set({ lease_until: 1 }).execute();
  });

/** When the servers will look at a stack. */
export const readNextLook = (place: TestPlace, stackId: string): Promise<number> =>
  withDatabase(place, async ({ query }) => {
    const row = await query
      .selectFrom('stacks')
      .select('next_at')
      .where('id', '=', stackId)
      .executeTakeFirstOrThrow();
    return row.next_at ?? Infinity;
  });

/** Puts off the next look at a stack that no server is looking at. False: one is. */
export const putOffNextLook = (place: TestPlace, stackId: string, at: number): Promise<boolean> =>
  withDatabase(place, async ({ query }) => {
    const result = await query
      .updateTable('stacks')
      .set({ next_at: at })
      .where('id', '=', stackId)
      .where('lease_until', '=', 0)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  });

/** The real content of the simulated cloud: names of resources by stack. */
export const readSandboxWorld = (place: TestPlace): Promise<Map<string, string[]>> =>
  withDatabase(place, async ({ query }) => {
    const rows = await query.selectFrom('sandbox_stacks').select('record').execute();
    const held = rows.map(({ record }): [string, string[]] => {
      const { stackId, base, steps } = JSON.parse(record) as SandboxStack;
      return [stackId, resourcesAt({ base, steps }, Date.now()).map(({ name }) => name)];
    });
    return new Map(held.filter(([, names]) => names.length > 0));
  });
