import { sql } from 'kysely';
import type { Query } from '../database/database.ts';
import type { EventTable } from '../database/tables.ts';

export type ResourceEvent = Pick<
  EventTable,
  'number' | 'at' | 'resource' | 'status' | 'message' | 'physical_id'
>;

/** The number of the event with which the last operation was requested; 0: there is none. */
export async function findLastRequest(query: Query, stackId: string): Promise<number> {
  const { last } = await query
    .selectFrom('events')
    .select((select) => select.fn.max('number').as('last'))
    .where('stack_id', '=', stackId)
    .where('kind', '=', 'request')
    // Requests without a status, such as the restart of an instance, start no operation.
    .where('status', '!=', '')
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** A literal, not a parameter: only then is the index of resource events used. */
const isResourceEvent = sql<boolean>`kind = 'resource'`;

/** For each resource, the last event of everything that ever had its name, and the failures since an event; oldest first. */
export function readResourceEvents(
  query: Query,
  stackId: string,
  { failuresAfter }: { failuresAfter: number },
): Promise<ResourceEvent[]> {
  const newest = query
    .selectFrom('events')
    .select((select) => select.fn.max('number').as('number'))
    .where('stack_id', '=', stackId)
    .where(isResourceEvent)
    .groupBy(['resource', 'physical_id']);
  return query
    .selectFrom('events')
    .select(['number', 'at', 'resource', 'status', 'message', 'physical_id'])
    .where('stack_id', '=', stackId)
    .where(isResourceEvent)
    .where((where) =>
      where.or([
        where('number', 'in', newest),
        where.and([where('number', '>', failuresAfter), where('status', 'like', '%FAILED')]),
      ]),
    )
    .orderBy('number')
    .execute();
}
