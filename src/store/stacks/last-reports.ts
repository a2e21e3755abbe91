import { sql } from 'kysely';
import { prebuiltList } from '../database/built/prebuilt-list.ts';
import type { Query } from '../database/database.ts';
import { inParts } from '../database/in-parts.ts';
import type { StackRow } from './stacks.ts';

/** The tables with the last report of each agent and of each container, and their keys. */
const keys = { agents: 'agent_id', containers: 'container_id' } as const;
export type ReportTable = keyof typeof keys;

const counting = (table: ReportTable) =>
  prebuiltList((query, _: object, stackIds) =>
    query
      .selectFrom(table)
      .select((select) => ['stack_id', select.fn.countAll<number | string>().as('count')])
      .where('stack_id', 'in', stackIds)
      .groupBy('stack_id'),
  );

const counts = { agents: counting('agents'), containers: counting('containers') };

/** How many there are for each stack that has some. */
export async function countReports(
  query: Query,
  table: ReportTable,
  stackIds: readonly string[],
): Promise<Map<string, number>> {
  if (stackIds.length === 0) return new Map();
  const rows = await counts[table].all(query, {}, stackIds);
  return new Map(rows.map(({ stack_id: id, count }) => [id, Number(count)]));
}

export interface LastReport {
  /** Of the agent or the container. */
  id: string;
  instance_id: string;
  updated_at: number;
}

/** Oldest first. */
export const listReports = (query: Query, table: ReportTable, stackId: string): Promise<LastReport[]> =>
  query
    .selectFrom(table)
    .select(['instance_id', 'updated_at', sql.ref<string>(keys[table]).as('id')])
    .where('stack_id', '=', stackId)
    .orderBy('updated_at')
    .execute();

export async function deleteReports(
  query: Query,
  table: ReportTable,
  { stackId, ids }: { stackId: string; ids: readonly string[] },
): Promise<void> {
  for (const part of inParts(ids))
    await query.deleteFrom(table).where('stack_id', '=', stackId).where(keys[table], 'in', part).execute();
}

const reportingColumns = ['id', 'account_id', 'deleted_at', 'desired_version', 'event_count'] as const;
export type ReportingStack = Pick<StackRow, (typeof reportingColumns)[number]>;

const reporting = prebuiltList((query, _: object, ids) =>
  query.selectFrom('stacks').select(reportingColumns).where('id', 'in', ids),
);

/** What the reports of agents of some stacks need. */
export const findReportingStacks = (query: Query, ids: readonly string[]): Promise<ReportingStack[]> =>
  reporting.all(query, {}, ids);
