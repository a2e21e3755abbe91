import type { Query } from '../database/database.ts';

export const readBlockedUntil = async (query: Query, subject: string): Promise<number> => {
  const row = await query
    .selectFrom('login_failures')
    .select('blocked_until')
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.blocked_until ?? 0;
};

/** Adds one and returns the new number of failures. */
export async function countLoginFailure(query: Query, subject: string, now: number): Promise<number> {
  const row = await query
    .insertInto('login_failures')
    .values({ subject, failures: 1, blocked_until: 0, noted_at: now })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet((set) => ({ failures: set('login_failures.failures', '+', 1), noted_at: now })),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return row.failures;
}

export const blockLogin = async (query: Query, subject: string, until: number): Promise<void> => {
  await query
    .updateTable('login_failures')
    .set({ blocked_until: until })
    .where('subject', '=', subject)
    .execute();
};

/** Resets logins that have not failed since; guesses at random names do not accumulate. */
export const deleteOldLoginFailures = async (query: Query, before: number): Promise<void> => {
  await query
    .deleteFrom('login_failures')
    .where('blocked_until', '<', before)
    .where('noted_at', '<', before)
    .execute();
};

export const deleteLoginFailures = async (query: Query, subject: string): Promise<void> => {
  await query.deleteFrom('login_failures').where('subject', '=', subject).execute();
};
