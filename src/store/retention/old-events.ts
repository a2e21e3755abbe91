import { sql } from 'kysely';
import { statusOf } from '../../model/status.ts';
import type { Query } from '../database/database.ts';
import { eventKinds, findLastRequest, newestOfResources } from '../stacks/events.ts';

const completions = [statusOf('CREATE', 'COMPLETE'), statusOf('UPDATE', 'COMPLETE')];

/** Stacks that follow an id, in the order of their ids. */
export const listStacksAfter = (query: Query, id: string, limit: number) =>
  query
    .selectFrom('stacks')
    .select(['id', 'deleted_at', 'event_count'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute();

export type StackWithHistory = Awaited<ReturnType<typeof listStacksAfter>>[number];

/** Those of the stacks that have an event from before a time. With the kinds, an index finds it among any number of events. */
export const stacksWithOlder = (query: Query, stackIds: readonly string[], before: number) =>
  query
    .selectFrom('stacks')
    .select('id')
    .where('id', 'in', stackIds)
    .where((where) =>
      where.exists(
        where
          .selectFrom('events')
          .select(sql`1`.as('one'))
          .whereRef('stack_id', '=', 'stacks.id')
          .where('kind', 'in', eventKinds)
          .where('at', '<', before),
      ),
    );

/** From the event with this number on, all are needed: the last operation, and every request since the stack was complete. */
export async function firstNeeded(query: Query, stackId: string): Promise<number> {
  const { complete } = await query
    .selectFrom('events')
    .select((select) => select.fn.max('number').as('complete'))
    .where('stack_id', '=', stackId)
    .where('kind', '=', 'status')
    .where('status', 'in', completions)
    .executeTakeFirstOrThrow();
  return Math.min(complete ?? 0, await findLastRequest(query, stackId));
}

/** The numbers of events that say how the resources are now. */
export async function eventsOfPresentState(query: Query, stackId: string): Promise<Set<number>> {
  const rows = await newestOfResources(query, stackId).execute();
  return new Set(rows.map(({ number }) => number));
}

export interface OldEvents {
  before: number;
  /** Only those with a lower number. */
  below: number;
  /** Only those with a higher number. */
  after: number;
  limit: number;
}

export const listOldEvents = (
  query: Query,
  stackId: string,
  { before, below, after, limit }: OldEvents,
): Promise<{ number: number; at: number }[]> =>
  query
    .selectFrom('events')
    .select(['number', 'at'])
    .where('stack_id', '=', stackId)
    .where('at', '<', before)
    .where('number', '<', below)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();

/** Events of the vendor from before that time are ignored from now on. */
export const keepEventsFrom = (query: Query, stackId: string, time: number) =>
  query
    .updateTable('stacks')
    .set({ events_kept_from: time })
    .where('id', '=', stackId)
    .where(sql<boolean>`coalesce(events_kept_from, 0) < ${time}`)
    .execute();

/** Null: no events were deleted. */
export async function readEventsKeptFrom(query: Query, stackId: string): Promise<number | null> {
  const row = await query
    .selectFrom('stacks')
    .select('events_kept_from')
    .where('id', '=', stackId)
    .executeTakeFirst();
  return row?.events_kept_from ?? null;
}

export const deleteEvents = (query: Query, stackId: string, numbers: readonly number[]) =>
  query.deleteFrom('events').where('stack_id', '=', stackId).where('number', 'in', numbers).execute();
