import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';

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
