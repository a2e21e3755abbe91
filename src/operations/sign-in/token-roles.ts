import { Failure } from '../../basics/failure.ts';
import type { UserRow } from '../../store/access/accounts.ts';
import { listRoles } from '../../store/access/roles.ts';
import { listRolesOfUser } from '../../store/access/user-roles.ts';
import type { Query } from '../../store/database/database.ts';
import { isDefaultRole, keepDefaultRole, storedRoleId } from '../access/default-role.ts';

/** The roles that a user may give to a token: those attached, or for the master all of the account. */
async function rolesToChooseFrom(query: Query, user: UserRow, wanted: readonly string[]): Promise<string[]> {
  const { account_id: accountId, id, master } = user;
  if (master !== 1) return (await listRolesOfUser(query, accountId, id)).map((role) => role.id);
  if (wanted.some((role) => isDefaultRole(accountId, role))) await keepDefaultRole(query, accountId);
  return (await listRoles(query, accountId)).map((role) => role.id);
}

/** Returns the stored ids of the roles. A role that the user does not have is refused, whether or not it exists. */
export async function rolesToName(query: Query, user: UserRow, wanted: readonly string[]): Promise<string[]> {
  const choices = new Set(await rolesToChooseFrom(query, user, wanted));
  const stored = [...new Set(wanted.map((role) => storedRoleId(user.account_id, role)))];
  const missing = wanted.find((role) => !choices.has(storedRoleId(user.account_id, role)));
  if (missing === undefined) return stored;
  const message = `You do not have role ${missing}`;
  throw new Failure('invalid_request', message, {
    description: 'GET /v3/user/role lists your roles. If you have none, limit the token with scope instead.',
    problems: [{ path: 'roles', message }],
  });
}
