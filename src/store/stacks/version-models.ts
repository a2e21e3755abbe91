import type { StackModel } from '../../model/stack-model.ts';
import type { Query } from '../database/database.ts';
import { modelColumn } from './versions.ts';

/** The models of some versions of a stack. Those that were pruned are left out. */
export async function readModels(
  query: Query,
  stackId: string,
  ids: readonly string[],
): Promise<StackModel[]> {
  const rows = await query
    .selectFrom('versions')
    .select(['id', 'model'])
    .where('stack_id', '=', stackId)
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ id, model }) => modelColumn.parse(model, id));
}
