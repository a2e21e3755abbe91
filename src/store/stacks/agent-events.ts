import { sql } from 'kysely';
import { padded } from '../database/built/binary-parts.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import { prebuiltList } from '../database/built/prebuilt-list.ts';
import type { Query } from '../database/database.ts';
import { insertNumbered, type NewEvent, type NumberedEvents } from './events.ts';

const counting = prebuilt((query, { stackId, since }: { stackId: string; since: number }) =>
  query
    .selectFrom('events')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('stack_id', '=', stackId)
    .where('kind', '=', 'agent')
    .where('at', '>=', since),
);

/** Events that the agents of a stack reported at or after a time. */
export const countAgentEvents = async (query: Query, stackId: string, since: number): Promise<number> =>
  Number((await counting.first(query, { stackId, since }))?.count ?? 0);

interface Folding {
  stackId: string;
  /** How many of the oldest become one. */
  count: number;
  describe: (reports: number, lastAt: number) => string;
}

/** Combines the oldest events of agents into one. It has the number of the last of them, so that readers still find it in order. */
export async function foldAgentEvents(query: Query, { stackId, count, describe }: Folding): Promise<void> {
  const oldest = await query
    .selectFrom('events')
    .select(['number', 'at', 'folded'])
    .where('stack_id', '=', stackId)
    .where('kind', '=', 'agent')
    .orderBy('number')
    .limit(count)
    .execute();
  const last = oldest.at(-1);
  if (!last || oldest.length < 2) return;
  // A summary stands for the reports that it was made of.
  const folded = oldest.reduce((sum, event) => sum + Math.max(1, event.folded), 0);
  await query
    .deleteFrom('events')
    .where('stack_id', '=', stackId)
    .where('kind', '=', 'agent')
    .where('number', '<', last.number)
    .execute();
  const summary = { resource: '', resource_type: 'Summary', status: '', message: describe(folded, last.at) };
  await query
    .updateTable('events')
    .set({ ...summary, folded })
    .where('stack_id', '=', stackId)
    .where('number', '=', last.number)
    .execute();
}

/** The list has the id of a stack and the number of its new events in turn. */
const counted = prebuiltList((query, _: object, added: readonly (string | number)[]) => {
  const values = added.flatMap((item, index) =>
    index % 2 === 0 ? [sql`(${item}, cast(${added[index + 1]} as integer))`] : [],
  );
  const update = sql<Omit<NumberedEvents, 'events'>>`
    update "stacks" set "event_count" = "event_count" + added.column2
    from (values ${sql.join(values)}) as added where "stacks"."id" = added.column1
    returning "stacks"."id" as "stackId", "stacks"."event_count" as "last"`;
  return { compile: () => update.compile(query) };
});

/** Adds events of the agents of several stacks, in order. Like `addEvents`, but with few statements for all of them. */
export async function addAgentEvents(
  query: Query,
  events: ReadonlyMap<string, readonly NewEvent[]>,
): Promise<void> {
  if (events.size === 0) return;
  const added = padded(
    [...events]
      .map(([stackId, { length }]): [string, number] => [stackId, length])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ['', 0],
  );
  const rows = await counted.all(query, {}, added.flat());
  await insertNumbered(
    query,
    rows.map(({ stackId, last }) => ({ stackId, last, events: events.get(stackId) ?? [] })),
  );
}
