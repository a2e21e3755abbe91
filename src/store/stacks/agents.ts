import type { Selectable } from 'kysely';
import type { Query } from '../database/database.ts';
import type { AgentTable } from '../database/tables.ts';

export type AgentRow = Selectable<AgentTable>;

export const findAgent = (query: Query, stackId: string, agentId: string): Promise<AgentRow | undefined> =>
  query
    .selectFrom('agents')
    .selectAll()
    .where('stack_id', '=', stackId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst();

/** One row per agent of a stack: the report that arrived last. */
export async function saveAgent(query: Query, row: AgentRow): Promise<void> {
  const { stack_id: _, agent_id: __, ...report } = row;
  await query
    .insertInto('agents')
    .values(row)
    .onConflict((conflict) => conflict.columns(['stack_id', 'agent_id']).doUpdateSet(report))
    .execute();
}
