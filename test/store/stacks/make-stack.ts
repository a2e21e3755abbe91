import type { Query } from '../../../src/store/database/database.ts';
import { initialState, insertStack, type StackRow } from '../../../src/store/stacks/stacks.ts';

export const noView: StackRow['view'] = { outputs: [], instances: [], databases: [], caches: [] };

/** A stack row with nothing special about it. */
const stackRow = (changes: Partial<StackRow> = {}): StackRow => ({
  ...initialState(1000),
  id: 'mo-1-a-tk',
  account_id: 'account1',
  created_by: 'root',
  language: 'v3',
  vendor: 'aws',
  region: 'ap-northeast-1',
  credential_id: 'SANDBOX',
  nickname: 'clean sail demonstrate',
  sealed_auth_token: 'sealed',
  desired_version: 'v1',
  view: noView,
  ...changes,
});

export async function insertAccounts(query: Query, ...ids: string[]): Promise<void> {
  await query
    .insertInto('accounts')
    .values(ids.map((id) => ({ id, name: '', created_at: 1 })))
    .execute();
}

export async function makeStack(query: Query, changes: Partial<StackRow> = {}): Promise<StackRow> {
  const row = stackRow(changes);
  await insertStack(query, row);
  return row;
}
