import type { StackModel } from '../../model/stack-model.ts';
import type { Query } from '../database/database.ts';
import type { StackRow } from '../stacks/stacks.ts';
import { modelColumn } from '../stacks/versions.ts';

export interface StackNaming
  extends Pick<StackRow, 'id' | 'nickname' | 'created_by' | 'vendor' | 'credential_id'> {
  model: StackModel;
}

/**
 * The desired and the settled models that contain a text, of stacks that are not deleted. `_` in the text matches any character:
 * the caller checks what it finds.
 */
export async function listModelsNaming(
  query: Query,
  accountId: string,
  text: string,
): Promise<StackNaming[]> {
  const rows = await query
    .selectFrom('stacks')
    .innerJoin('versions', 'versions.stack_id', 'stacks.id')
    .select(['stacks.id', 'nickname', 'stacks.created_by', 'vendor', 'credential_id', 'versions.model'])
    .where('stacks.account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('versions.id', '=', where.ref('stacks.desired_version')),
        where('versions.id', '=', where.ref('stacks.settled_version')),
      ]),
    )
    .where('versions.model', 'like', `%${text}%`)
    .orderBy('stacks.id')
    .execute();
  return rows.map(({ model, ...stack }) =>
    Object.assign(stack, { model: modelColumn.parse(model, stack.id) }),
  );
}
