import { roleTemplates } from '../../model/role-scope.ts';
import { type RoleRow, readAccountCreatedAt, upsertRole } from '../../store/access/roles.ts';
import type { Query } from '../../store/database/database.ts';

/** Role that every account has. It allows everything and cannot be changed. */
export const defaultRoleId = 'admin';

/** Needs a row only when attached. The rows of all accounts share one table, so its id there contains the account. */
const storedDefault = (accountId: string): string => `${defaultRoleId} of ${accountId}`;

export const isDefaultRole = (accountId: string, id: string): boolean =>
  id === defaultRoleId || id === storedDefault(accountId);

export const storedRoleId = (accountId: string, id: string): string =>
  id === defaultRoleId ? storedDefault(accountId) : id;

export const shownRoleId = (accountId: string, id: string): string =>
  id === storedDefault(accountId) ? defaultRoleId : id;

export async function defaultRole(query: Query, accountId: string): Promise<RoleRow> {
  const template = roleTemplates.find(({ id }) => id === defaultRoleId);
  if (!template) throw new Error(`There is no role template ${defaultRoleId}.`);
  const since = await readAccountCreatedAt(query, accountId);
  return {
    id: storedDefault(accountId),
    account_id: accountId,
    name: template.name,
    scope: JSON.stringify(template.scope),
    created_at: since,
    updated_at: since,
  };
}

/** Returns its row, inserting it if missing: an attachment must refer to a row. */
export async function keepDefaultRole(query: Query, accountId: string): Promise<RoleRow> {
  const role = await defaultRole(query, accountId);
  await upsertRole(query, role);
  return role;
}
