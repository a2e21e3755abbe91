import type { Selectable } from 'kysely';
import type { AgentTable } from '../database/application-tables.ts';
import type { Query } from '../database/database.ts';

export type AgentRow = Selectable<AgentTable>;

export const findAgent = (query: Query, stackId: string, agentId: string): Promise<AgentRow | undefined> =>
  query
    .selectFrom('agents')
    .selectAll()
    .where('stack_id', '=', stackId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst();

/** The instances from which agents have reported. */
export async function listReportedInstances(query: Query, stackId: string): Promise<string[]> {
  const rows = await query
    .selectFrom('agents')
    .select('instance_id')
    .distinct()
    .where('stack_id', '=', stackId)
    .execute();
  return rows.map((row) => row.instance_id);
}

/** When each instance was heard last, by its id; '' stands for agents that do not say where they run. */
export async function lastHeard(query: Query, stackId: string): Promise<Map<string, number>> {
  const rows = await query
    .selectFrom('agents')
    .select(['instance_id', (select) => select.fn.max('updated_at').as('at')])
    .where('stack_id', '=', stackId)
    .groupBy('instance_id')
    .execute();
  return new Map(rows.map(({ instance_id: id, at }) => [id, at]));
}

/** Whether agents of these instances send logs, as far as they have reported. */
export async function listLogSenders(
  query: Query,
  stackId: string,
  instanceIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  if (instanceIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('agents')
    .select(['instance_id', (select) => select.fn.max('sends_logs').as('sends_logs')])
    .where('stack_id', '=', stackId)
    .where('instance_id', 'in', instanceIds)
    .groupBy('instance_id')
    .execute();
  return new Map(rows.map((row) => [row.instance_id, row.sends_logs === 1]));
}

/** One row per agent of a stack: the report that arrived last. */
export async function saveAgent(query: Query, row: AgentRow): Promise<void> {
  const { stack_id: _, agent_id: __, ...report } = row;
  await query
    .insertInto('agents')
    .values(row)
    .onConflict((conflict) => conflict.columns(['stack_id', 'agent_id']).doUpdateSet(report))
    .execute();
}
