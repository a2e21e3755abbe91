import type { Query } from '../../src/store/database.ts';
import { insertStack, type StackRow } from '../../src/store/stacks.ts';

/** A stack row with nothing special about it. */
export const stackRow = (changes: Partial<StackRow> = {}): StackRow => ({
  id: 'mo-1-a-tk',
  account_id: 'account1',
  created_by: 'root',
  language: 'v3',
  vendor: 'aws',
  region: 'ap-northeast-1',
  credential_id: 'SANDBOX',
  nickname: 'clean sail demonstrate',
  sealed_auth_token: 'sealed',
  operation: 'CREATE',
  desired_version: 'v1',
  delete_requests: 0,
  status: 'CREATE_IN_PROGRESS',
  status_reason: '',
  settled_version: null,
  tried_wish: '',
  refused_wish: '',
  refused_reason: '',
  view: '{}',
  created_at: 1000,
  updated_at: 1000,
  deleted_at: null,
  event_count: 0,
  next_at: 1000,
  lease_until: 0,
  lease_owner: '',
  epoch: 0,
  wakes: 0,
  troubles: 0,
  ...changes,
});

export async function insertAccounts(query: Query, ...ids: string[]): Promise<void> {
  await query
    .insertInto('accounts')
    .values(ids.map((id) => ({ id, created_at: 1 })))
    .execute();
}

export async function makeStack(query: Query, changes: Partial<StackRow> = {}): Promise<StackRow> {
  const row = stackRow(changes);
  await insertStack(query, row);
  return row;
}
