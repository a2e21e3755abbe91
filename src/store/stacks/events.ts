import { type Selectable, sql } from 'kysely';
import { statusOf } from '../../model/status.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import { prebuiltList } from '../database/built/prebuilt-list.ts';
import { RowInserter } from '../database/built/row-inserter.ts';
import type { Query } from '../database/database.ts';
import { inParts } from '../database/in-parts.ts';
import type { EventTable } from '../database/tables.ts';

export type EventRow = Selectable<EventTable>;

/**
 * `request`: a caller requested something. `step`: Almanac asked the vendor. `resource`: an event of the vendor. `status`: the
 * status of the stack changed. `trouble`: an outage or an internal error begins or ends. `agent`: its report. `data`: a store's fate.
 */
export const eventKinds = ['request', 'step', 'resource', 'status', 'trouble', 'agent', 'data'] as const;

/** An event of a stack, not numbered yet. */
export interface NewEvent {
  at: number;
  kind: (typeof eventKinds)[number];
  message: string;
  status?: string;
  resource?: string;
  resourceType?: string;
  versionId?: string;
  vendorEventId?: string;
  physicalId?: string | undefined;
}

const known = prebuiltList((query, { stackId }: { stackId: string }, ids) =>
  query
    .selectFrom('events')
    .select(['vendor_event_id', 'physical_id'])
    .where('stack_id', '=', stackId)
    .where('vendor_event_id', 'in', ids),
);

const anyKnown = prebuilt((query, { stackId }: { stackId: string }) =>
  query
    .selectFrom('events')
    .select('number')
    .where('stack_id', '=', stackId)
    .where('kind', '=', 'resource')
    .limit(1),
);

/** Those that are not stored yet: the vendor lists its events again and again. */
export const withoutKnown = async (
  query: Query,
  stackId: string,
  events: readonly NewEvent[],
): Promise<NewEvent[]> => {
  const found = new Map<string | null, string | null>();
  const all = events.flatMap((event) => event.vendorEventId ?? []);
  // Of many, a new stack has none.
  if (all.length > 8 && !(await anyKnown.first(query, { stackId }))) return [...events];
  for (const ids of inParts(all))
    for (const row of await known.all(query, { stackId }, ids))
      found.set(row.vendor_event_id, row.physical_id);
  await addPhysicalIds(
    query,
    stackId,
    events.filter(({ vendorEventId, physicalId }) => physicalId && found.get(vendorEventId ?? '') === null),
  );
  return events.filter((event) => event.vendorEventId === undefined || !found.has(event.vendorEventId));
};

/** Events that were stored before their column was. */
async function addPhysicalIds(query: Query, stackId: string, events: readonly NewEvent[]): Promise<void> {
  for (const { vendorEventId = '', physicalId } of events)
    await query
      .updateTable('events')
      .set({ physical_id: physicalId ?? null })
      .where('stack_id', '=', stackId)
      .where('vendor_event_id', '=', vendorEventId)
      .execute();
}

/** Adds events in order, each once. Call it in a transaction: the row of the stack numbers them without gaps. */
export async function addEvents(query: Query, stackId: string, events: readonly NewEvent[]): Promise<number> {
  const fresh = await withoutKnown(query, stackId, events);
  if (fresh.length === 0) return 0;
  const numbered = await numbering.first(query, { id: stackId, added: fresh.length });
  if (!numbered) throw new Error(`Stack ${stackId} does not exist`);
  await insertNumbered(query, [{ stackId, last: numbered.event_count, events: fresh }]);
  return fresh.length;
}

/** Events of one stack, and the number of the last of them. */
export interface NumberedEvents {
  stackId: string;
  last: number;
  events: readonly NewEvent[];
}

/** Only after the row of each stack has counted them. */
export const insertNumbered = (query: Query, numbered: readonly NumberedEvents[]): Promise<void> =>
  inserter.insert(
    query,
    numbered.flatMap(({ stackId, last, events }) =>
      events.map((event, index) => eventRow(stackId, last - events.length + 1 + index, event)),
    ),
  );

const numbering = prebuilt((query, { id, added }: { id: string; added: number }) =>
  query
    .updateTable('stacks')
    .set((row) => ({ event_count: row('event_count', '+', added) }))
    .where('id', '=', id)
    .returning('event_count'),
);

const columns: Readonly<Record<keyof EventRow, true>> = {
  stack_id: true,
  number: true,
  at: true,
  kind: true,
  resource: true,
  resource_type: true,
  status: true,
  message: true,
  version_id: true,
  vendor_event_id: true,
  physical_id: true,
  folded: true,
};

const inserter = new RowInserter('events', Object.keys(columns) as (keyof EventRow)[]);

const eventRow = (stackId: string, number: number, event: NewEvent): EventRow => ({
  stack_id: stackId,
  number,
  at: event.at,
  kind: event.kind,
  resource: event.resource ?? '',
  resource_type: event.resourceType ?? '',
  status: event.status ?? '',
  message: event.message,
  version_id: event.versionId ?? '',
  vendor_event_id: event.vendorEventId ?? null,
  physical_id: event.physicalId ?? null,
  folded: 0,
});

/** Oldest first, starting after the given number. */
export const listEvents = (
  query: Query,
  stackId: string,
  { after, limit }: { after: number; limit: number },
): Promise<EventRow[]> =>
  query
    .selectFrom('events')
    .selectAll()
    .where('stack_id', '=', stackId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();

/** The versions that were requested since the stack was complete. A version that was deleted to keep to the quota is one of them. */
export async function versionsRequestedSinceComplete(query: Query, stackId: string): Promise<string[]> {
  const complete = query
    .selectFrom('events')
    .select((select) => select.fn.coalesce(select.fn.max('number'), select.lit(0)).as('number'))
    .where('stack_id', '=', stackId)
    .where('kind', '=', 'status')
    .where('status', 'in', [statusOf('CREATE', 'COMPLETE'), statusOf('UPDATE', 'COMPLETE')]);
  const rows = await query
    .selectFrom('events')
    .select('version_id')
    .distinct()
    .where('stack_id', '=', stackId)
    .where('kind', '=', 'request')
    .where('version_id', '!=', '')
    .where('number', '>', complete)
    .execute();
  return rows.map(({ version_id: id }) => id);
}

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

/** A resource that is replaced has two ids at a time; older ones say nothing about it. */
const maxIds = 10;

interface EventsWanted {
  /** The resources. */
  names: readonly string[];
  /** The number of the event since which failures are wanted. */
  failuresAfter: number;
}

/** For each resource, the last event of everything that had its name lately, and its last failure since an event; oldest first. */
export async function readResourceEvents(
  query: Query,
  stackId: string,
  { names, failuresAfter }: EventsWanted,
): Promise<ResourceEvent[]> {
  const found: ResourceEvent[] = [];
  for (const part of inParts(names))
    found.push(...(await eventsOf(query, stackId, { names: part, failuresAfter }).execute()));
  return found.toSorted((a, b) => a.number - b.number);
}

const resourceEvents = (query: Query, stackId: string) =>
  query.selectFrom('events').where('stack_id', '=', stackId).where(isResourceEvent);

/** The numbers of the last events of everything that had a name of a resource lately. */
export function newestOfResources(query: Query, stackId: string, names?: readonly string[]) {
  const events = resourceEvents(query, stackId);
  const newestByAge = (names ? events.where('resource', 'in', names) : events)
    .select((select) => select.fn.max('number').as('number'))
    .select(sql<number>`row_number() over (partition by resource order by max(number) desc)`.as('age'))
    .groupBy(['resource', 'physical_id']);
  return query.selectFrom(newestByAge.as('newest')).select('number').where('age', '<=', maxIds);
}

function eventsOf(query: Query, stackId: string, { names, failuresAfter }: EventsWanted) {
  const events = resourceEvents(query, stackId).where('resource', 'in', names);
  const newest = newestOfResources(query, stackId, names);
  const failures = events
    .select((select) => select.fn.max('number').as('number'))
    .where('number', '>', failuresAfter)
    .where('status', 'like', '%FAILED')
    .groupBy('resource');
  return query
    .selectFrom('events')
    .select(['number', 'at', 'resource', 'status', 'message', 'physical_id'])
    .where('stack_id', '=', stackId)
    .where('number', 'in', newest.union(failures));
}
