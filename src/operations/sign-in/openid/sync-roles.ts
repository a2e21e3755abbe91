import type { GroupRole } from '../../../basics/config/openid.ts';
import { Failure } from '../../../basics/failure.ts';
import { newUserRoleId } from '../../../model/names.ts';
import { readClaim } from '../../../openid/claims.ts';
import type { UserRow } from '../../../store/access/accounts.ts';
import { listRoles, type RoleRow } from '../../../store/access/roles.ts';
import { deleteUserRole, listUserRoles, upsertUserRole } from '../../../store/access/user-roles.ts';
import type { Query } from '../../../store/database/database.ts';
import { isDefaultRole, keepDefaultRole } from '../../access/default-role.ts';

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** The groups of a person. Some providers send a single group as a text. A claim of another type is never guessed. */
export function groupsIn(claims: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = readClaim(claims, name) ?? [];
  const groups = typeof value === 'string' ? [value] : value;
  if (isTexts(groups)) return groups;
  throw new Failure('forbidden', `The claim ${name} of the OpenID provider is not a list of texts`, {
    description: 'The operator can check ALM_OIDC_GROUPS_CLAIM and the settings of the provider.',
  });
}

function oneRole(role: string, found: readonly RoleRow[]): RoleRow {
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const problem = only ? 'matches several roles of the account' : 'does not exist in the account';
  throw new Failure('conflict', `Role ${role}, which your groups map to, ${problem}`, {
    description: 'The operator can correct ALM_OIDC_ROLES, or the master can create the role.',
  });
}

interface Sync {
  user: UserRow;
  groups: readonly string[];
  mapping: readonly GroupRole[];
  now: number;
}

type Roles = ReadonlyMap<string, RoleRow>;

const byId = (roles: readonly RoleRow[]): Roles => new Map(roles.map((role) => [role.id, role]));

/** Roles by id or name, for the texts of the mapping. */
async function roleFinder(query: Query, { user, mapping }: Sync): Promise<(text: string) => RoleRow[]> {
  const accountId = user.account_id;
  const isMapped = mapping.some(({ role }) => isDefaultRole(accountId, role));
  const defaultRole = isMapped ? await keepDefaultRole(query, accountId) : undefined;
  const roles = byId(await listRoles(query, accountId));
  return (text) => {
    const exact = isDefaultRole(accountId, text) ? defaultRole : roles.get(text);
    return exact ? [exact] : [...roles.values()].filter(({ name }) => name === text);
  };
}

/** The roles that the person should have, and all roles that the mapping manages. */
async function mappedRoles(query: Query, sync: Sync): Promise<{ wanted: Roles; managed: Roles }> {
  const find = await roleFinder(query, sync);
  const { mapping, groups } = sync;
  return {
    wanted: byId(
      mapping.filter(({ group }) => groups.includes(group)).map(({ role }) => oneRole(role, find(role))),
    ),
    managed: byId(mapping.flatMap(({ role }) => find(role))),
  };
}

/**
 * Attaches the roles of the groups and detaches those of other groups. Roles that the mapping does not name stay as they are.
 * Returns the changes in words, for the audit log.
 */
export async function syncRoles(query: Query, sync: Sync): Promise<string[]> {
  const { user, mapping, now } = sync;
  if (mapping.length === 0) return [];
  const { wanted, managed } = await mappedRoles(query, sync);
  const { id: user_id, account_id } = user;
  const rows = await listUserRoles(query, account_id, user_id);
  const attached = new Map(rows.map((row) => [row.role_id, row.id]));
  const added = [...wanted.values()].filter(({ id }) => !attached.has(id));
  const lost = [...managed.values()].filter(({ id }) => attached.has(id) && !wanted.has(id));
  for (const { id: role_id } of added) {
    const id = newUserRoleId(account_id);
    await upsertUserRole(query, { id, account_id, user_id, role_id, created_at: now, updated_at: now });
  }
  for (const { id } of lost) await deleteUserRole(query, attached.get(id) ?? '');
  return [
    ...added.map(({ name }) => `role ${name} attached`),
    ...lost.map(({ name }) => `role ${name} detached`),
  ];
}
