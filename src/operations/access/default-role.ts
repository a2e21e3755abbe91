import { roleTemplates } from '../../model/role-scope.ts';
import { type RoleRow, readAccountCreatedAt, upsertRole } from '../../store/access/roles.ts';
import type { Query } from '../../store/database/database.ts';

/** The role every account has without making it; it allows everything, and nobody can change it. */
export const defaultRoleId = 'admin';

/** Only an attached role needs a row, and rows of all accounts are in one table: there it has another id for each. */
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

/** Its row, written if it is not there yet: an attachment must point at one. */
export async function keepDefaultRole(query: Query, accountId: string): Promise<RoleRow> {
  const role = await defaultRole(query, accountId);
  await upsertRole(query, role);
  return role;
}
