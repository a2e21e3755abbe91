import { notFound } from '../../basics/failure.ts';
import type { ClientKind } from '../../model/client-kinds.ts';
import {
  deleteTokenOfUser,
  deleteTokensOfUserExcept,
  listTokensOfUser,
} from '../../store/access/own-tokens.ts';
import { deletePersonalTokensOf } from '../../store/access/personal-tokens.ts';
import type { Actor } from '../access/access.ts';
import { changeAccess } from '../access/access-lock.ts';
import { signedInUser, userNamed } from '../access/users.ts';
import type { Service } from '../service.ts';

/** A token without its secret. */
export interface ListedToken {
  id: string;
  clientId: string;
  clientKind: ClientKind;
  grantType: string;
  address: string;
  userAgent: string;
  issuedAt: number;
  expiresAt: number;
  /** Null: not used yet. */
  lastUsedAt: number | null;
  /** Whether the request was sent with it. */
  current: boolean;
}

interface TokenOwner {
  userId: string;
  /** The token of the request. */
  tokenHash: string | null;
}

const self = (actor: Actor): TokenOwner => {
  const { userId, tokenHash = null } = signedInUser(actor);
  return { userId, tokenHash };
};

/** For the master: any user of the account. */
async function ownerNamed(service: Service, actor: Actor, username: string): Promise<TokenOwner> {
  const user = await userNamed(service.database.query, actor.accountId, username);
  return { ...self(actor), userId: user.id };
}

async function listTokens(service: Service, { userId, tokenHash }: TokenOwner): Promise<ListedToken[]> {
  const rows = await listTokensOfUser(service.database.query, userId, service.clock.now());
  return rows.map((row) => ({
    id: row.id,
    clientId: row.client_id,
    clientKind: row.client_kind,
    grantType: row.grant_type,
    address: row.address,
    userAgent: row.user_agent,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    current: row.hash === tokenHash,
  }));
}

async function endToken(service: Service, { userId }: TokenOwner, id: string): Promise<void> {
  if (!(await deleteTokenOfUser(service.database.query, { userId, id, now: service.clock.now() })))
    throw notFound('Token', id);
}

export const describeOwnTokens = (service: Service, actor: Actor): Promise<ListedToken[]> =>
  listTokens(service, self(actor));

export const endOwnToken = (service: Service, actor: Actor, id: string): Promise<void> =>
  endToken(service, self(actor), id);

/** Ends every other sign-in of the caller. Returns their number. */
export const endOtherTokens = (service: Service, actor: Actor): Promise<number> => {
  const { userId, tokenHash: keptHash } = self(actor);
  const now = service.clock.now();
  return deleteTokensOfUserExcept(service.database.query, { userId, keptHash, now });
};

export const describeTokensOf = async (
  service: Service,
  actor: Actor,
  username: string,
): Promise<ListedToken[]> => listTokens(service, await ownerNamed(service, actor, username));

export const endTokenOf = async (
  service: Service,
  actor: Actor,
  { username, id }: { username: string; id: string },
): Promise<void> => endToken(service, await ownerNamed(service, actor, username), id);

/** Ends all access of a user: every sign-in, also that of the request if it is the user's, and personal access tokens. Returns their number. */
export async function endTokensOf(service: Service, actor: Actor, username: string): Promise<number> {
  const { userId } = await ownerNamed(service, actor, username);
  return changeAccess(service, actor.accountId, async (query) => {
    const ended = { userId, keptHash: null, now: service.clock.now() };
    const signIns = await deleteTokensOfUserExcept(query, ended);
    return signIns + (await deletePersonalTokensOf(query, userId));
  });
}
