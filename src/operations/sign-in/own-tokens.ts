import { notFound } from '../../basics/failure.ts';
import type { ClientKind } from '../../model/client-kinds.ts';
import type { AccessTokenRow } from '../../store/access/accounts.ts';
import {
  deleteTokenOfUser,
  deleteTokensOfUserExcept,
  listTokensOfUser,
  signInHash,
} from '../../store/access/own-tokens.ts';
import { deletePersonalTokensOf } from '../../store/access/personal-tokens.ts';
import type { Actor } from '../access/access.ts';
import { changeAccess } from '../access/access-lock.ts';
import { lastingHash } from '../access/actor.ts';
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
  accountId: string;
  userId: string;
  /** The sign-in of the request. */
  currentHash: string | null;
}

const self = (actor: Actor): TokenOwner => {
  const user = signedInUser(actor);
  return { accountId: user.accountId, userId: user.userId, currentHash: lastingHash(user) ?? null };
};

/** For the master: any user of the account. */
async function ownerNamed(service: Service, actor: Actor, username: string): Promise<TokenOwner> {
  const user = await userNamed(service.database.query, actor.accountId, username);
  return { ...self(actor), userId: user.id };
}

/** For a minute after a renewal, a session has two tokens. The newer one is shown. */
const onePerSignIn = (newestFirst: readonly AccessTokenRow[]): AccessTokenRow[] => {
  const seen = new Set<string>();
  return newestFirst.filter((row) => {
    const isFirst = !seen.has(signInHash(row));
    seen.add(signInHash(row));
    return isFirst;
  });
};

async function listTokens(service: Service, { userId, currentHash }: TokenOwner): Promise<ListedToken[]> {
  const rows = await listTokensOfUser(service.database.query, userId, service.clock.now());
  return onePerSignIn(rows).map((row) => ({
    id: row.id,
    clientId: row.client_id,
    clientKind: row.client_kind,
    grantType: row.grant_type,
    address: row.address,
    userAgent: row.user_agent,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    current: signInHash(row) === currentHash,
  }));
}

/** With the lock, because a renewal at the same time would store a token that the deletion does not see. */
const endToken = (service: Service, { accountId, userId }: TokenOwner, id: string): Promise<void> =>
  changeAccess(service, accountId, async (query) => {
    if (!(await deleteTokenOfUser(query, { userId, id, now: service.clock.now() })))
      throw notFound('Token', id);
  });

export const describeOwnTokens = (service: Service, actor: Actor): Promise<ListedToken[]> =>
  listTokens(service, self(actor));

export const endOwnToken = (service: Service, actor: Actor, id: string): Promise<void> =>
  endToken(service, self(actor), id);

/** Ends every other sign-in of the caller. Returns their number. */
export const endOtherTokens = (service: Service, actor: Actor): Promise<number> => {
  const { accountId, userId, currentHash: keptHash } = self(actor);
  return changeAccess(service, accountId, (query) =>
    deleteTokensOfUserExcept(query, { userId, keptHash, now: service.clock.now() }),
  );
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
