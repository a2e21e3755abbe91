import type { Query } from '../database/database.ts';

/** Not every engine accepts an offset without a limit. */
const maxTrimmed = 1_000_000;

export interface LoginFailures {
  failures: number;
  blocked_until: number;
}

export const readLoginFailures = async (query: Query, subject: string): Promise<LoginFailures> =>
  (await query
    .selectFrom('login_failures')
    .select(['failures', 'blocked_until'])
    .where('subject', '=', subject)
    .executeTakeFirst()) ?? { failures: 0, blocked_until: 0 };

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

/**
 * Counts an attempt as failed before it is checked, and blocks the next ones. False: another attempt, perhaps on another
 * server, was first.
 */
export async function claimAttempt(
  query: Query,
  { subject, now, until }: { subject: string; now: number; until: number },
): Promise<boolean> {
  const result = await query
    .updateTable('login_failures')
    .set((set) => ({ failures: set('failures', '+', 1), blocked_until: until, noted_at: now }))
    .where('subject', '=', subject)
    .where('blocked_until', '<=', now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

interface Turn {
  subject: string;
  now: number;
  /** How long one attempt uses up. */
  everyMs: number;
  /** No turn is given while attempts are used up beyond this time. */
  latest: number;
}

/** Reserves one attempt, in one statement. Returns until when attempts are used up now; undefined: no turn is left. */
export async function reserveTurn(
  query: Query,
  { subject, now, everyMs, latest }: Turn,
): Promise<number | undefined> {
  const row = await query
    .insertInto('login_failures')
    .values({ subject, failures: 0, blocked_until: now + everyMs, noted_at: now })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet((set) => ({
          blocked_until: set
            .case()
            .when('login_failures.blocked_until', '>', now)
            .then(set('login_failures.blocked_until', '+', everyMs))
            .else(now + everyMs)
            .end(),
          noted_at: now,
        }))
        .where('login_failures.blocked_until', '<=', latest),
    )
    .returning('blocked_until')
    .executeTakeFirst();
  return row?.blocked_until;
}

export const returnTurn = async (query: Query, subject: string, everyMs: number): Promise<void> => {
  await query
    .updateTable('login_failures')
    .set((set) => ({ blocked_until: set('blocked_until', '-', everyMs) }))
    .where('subject', '=', subject)
    .execute();
};

/** Undoes a claim that still holds: the attempt did not guess. */
export const returnClaim = async (
  query: Query,
  { subject, now, until }: { subject: string; now: number; until: number },
): Promise<void> => {
  await query
    .updateTable('login_failures')
    .set((set) => ({ failures: set('failures', '-', 1), blocked_until: now }))
    .where('subject', '=', subject)
    .where('blocked_until', '=', until)
    .execute();
};

/**
 * Deletes rows that neither failed nor were blocked since `before`, and all but `max` others. Blocked ones go last, so that nobody
 * ends a block with many cheap failures.
 */
export async function trimLoginFailures(
  query: Query,
  { now, before, max }: { now: number; before: number; max: number },
): Promise<void> {
  await query
    .deleteFrom('login_failures')
    .where('noted_at', '<', before)
    .where('blocked_until', '<', before)
    .execute();
  await query
    .deleteFrom('login_failures')
    .where('subject', 'in', (select) =>
      select
        .selectFrom('login_failures')
        .select('subject')
        .orderBy(
          (row) => row.case().when('blocked_until', '>', now).then(row.ref('blocked_until')).else(0).end(),
          'desc',
        )
        .orderBy('noted_at', 'desc')
        .limit(maxTrimmed)
        .offset(max),
    )
    .execute();
}

export const deleteLoginFailures = async (query: Query, subject: string): Promise<void> => {
  await query.deleteFrom('login_failures').where('subject', '=', subject).execute();
};
