import { sql } from 'kysely';
import type { Query } from '../database/database.ts';
import { inParts } from '../database/in-parts.ts';

/** The tables with the last report of each agent and of each container, and their keys. */
const keys = { agents: 'agent_id', containers: 'container_id' } as const;
export type ReportTable = keyof typeof keys;

export async function countReports(query: Query, table: ReportTable, stackId: string): Promise<number> {
  const { count } = await query
    .selectFrom(table)
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('stack_id', '=', stackId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface StaleReports {
  stackId: string;
  /** Later reports stay. */
  before: number;
  /** Reports about these instances stay, however old. */
  instances: ReadonlySet<string>;
  limit: number;
}

/** Deletes the oldest reports. Returns their number. */
export async function deleteStaleReports(
  query: Query,
  table: ReportTable,
  { stackId, before, instances, limit }: StaleReports,
): Promise<number> {
  const rows = await query
    .selectFrom(table)
    .select(['instance_id', sql.ref<string>(keys[table]).as('id')])
    .where('stack_id', '=', stackId)
    .where('updated_at', '<', before)
    .orderBy('updated_at')
    .execute();
  const ids = rows
    .filter(({ id, instance_id }) => !instances.has(instance_id) && !instances.has(id))
    .slice(0, limit)
    .map(({ id }) => id);
  for (const part of inParts(ids))
    await query.deleteFrom(table).where('stack_id', '=', stackId).where(keys[table], 'in', part).execute();
  return ids.length;
}
