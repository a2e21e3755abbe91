import { personalClientId } from '../../model/client-kinds.ts';
import type { HeldRole } from '../../model/decide-access.ts';
import { everythingScope } from '../../model/role-scope.ts';
import { findUserById, type UserRow } from '../../store/access/accounts.ts';
import {
  findPersonalToken,
  notePersonalTokenUse,
  type PersonalTokenRow,
} from '../../store/access/personal-tokens.ts';
import { listRoles } from '../../store/access/roles.ts';
import { listRolesOfUser } from '../../store/access/user-roles.ts';
import type { Query } from '../../store/database/database.ts';
import { Remembered } from '../../store/database/remembered.ts';
import type { Service } from '../service.ts';
import { heldRole, rolesOfUser } from './permission.ts';

/** The use of a token is noted at most this often, so that a busy token does not write on every call. */
const useNotedMs = 60 * 60_000;

/** What the master may do, as far as roles can say it. The routes for the master alone stay closed to its tokens. */
const everything: HeldRole = { roleId: '', name: 'master', scope: everythingScope };

/** Only roles that the user still has, or for the master those that the account still has. */
async function rolesOfToken(query: Query, user: UserRow, token: PersonalTokenRow): Promise<HeldRole[]> {
  if (token.scope !== null) return [heldRole({ id: '', name: token.name, scope: token.scope })];
  const current =
    user.master === 1
      ? await listRoles(query, user.account_id)
      : await listRolesOfUser(query, user.account_id, user.id);
  const named = new Set(JSON.parse(token.role_ids) as string[]);
  return current.filter(({ id }) => named.has(id)).map(heldRole);
}

/** A database that cannot be written must not prevent reading. */
async function noteUse(service: Service, { hash, last_used_at: last }: PersonalTokenRow): Promise<void> {
  const now = service.clock.now();
  if (last === null || now - last >= useNotedMs)
    await notePersonalTokenUse(service.database.query, hash, now).catch(() => {});
}

/** The user of a token, limited to what the token names. */
export async function actorOfPersonalToken(query: Query, token: PersonalTokenRow) {
  const user = await findUserById(query, token.user_id);
  if (!user) return undefined;
  const accountId = user.account_id;
  return {
    kind: 'user' as const,
    accountId,
    clientId: personalClientId,
    clientKind: 'sign-in' as const,
    userId: user.id,
    username: user.username,
    master: false,
    roles: user.master === 1 ? [everything] : await rolesOfUser(query, accountId, user.id),
    tokenRoles: await rolesOfToken(query, user, token),
    tokenHash: token.hash,
    personalToken: { id: token.id, name: token.name },
  };
}

interface KnownToken {
  token: PersonalTokenRow;
  actor: NonNullable<Awaited<ReturnType<typeof actorOfPersonalToken>>>;
}

/** Everything that the actor and its rights are read from. */
const actorTables = ['personal_tokens', 'accounts', 'users', 'roles', 'user_roles'] as const;
const tokens = new Remembered<KnownToken | undefined>(actorTables, { max: 2000 });

/** Finds the user of a personal access token, limited to what the token names. Null: the token is invalid. */
export async function personalActor(service: Service, tokenHash: string) {
  const { database, clock } = service;
  const now = clock.now();
  const known = await tokens.read(database, tokenHash, async () => {
    const token = await findPersonalToken(database.query, tokenHash, now);
    const actor = token && (await actorOfPersonalToken(database.query, token));
    return actor && { token, actor };
  });
  if (!known || known.token.expires_at <= now) return null;
  await noteUse(service, known.token);
  return known.actor;
}
