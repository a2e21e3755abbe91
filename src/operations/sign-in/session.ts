import { Failure } from '../../basics/failure.ts';
import { consoleClientId } from '../../model/client-kinds.ts';
import { newAccessToken } from '../../model/names.ts';
import { type AccessTokenRow, findAccessToken } from '../../store/access/accounts.ts';
import { findPersonalToken } from '../../store/access/personal-tokens.ts';
import { deleteSession, endTokenAt, findTokenToEnd } from '../../store/access/sessions.ts';
import type { Actor } from '../access/access.ts';
import { changeAccess } from '../access/access-lock.ts';
import { digest } from '../access/secret-hash.ts';
import { type SignedInUser, signedInUser } from '../access/users.ts';
import { recordSignOut, type SignedOutUser } from '../audit/sign-ins.ts';
import type { Service } from '../service.ts';
import { redeemCode } from './openid/redeem-code.ts';
import { type PasskeySignIn, signInWithPasskey } from './passkeys/sign-in.ts';
import { ended } from './session-ended.ts';
import { signInByName } from './sign-in-by-name.ts';
import type { TokenCaller } from './token-origin.ts';
import { storeToken, tokenLifetimeSeconds } from './tokens.ts';

/** Then the password is asked for again. */
const sessionMs = 7 * 24 * 60 * 60_000;
/** A token that is younger is not replaced. */
const renewedAfterMs = 60 * 60_000;
/** Requests that are under way with the old token still succeed. */
const overlapMs = 60_000;

/** A session is a sign-in of a browser: an ordinary token that can be renewed. */
const sessionColumns = (token: string, now: number) => ({
  session_hash: digest(token),
  session_at: now,
});

/** Returns the token for the cookie. */
export const startSession = (
  service: Service,
  caller: TokenCaller,
  proof: { login: string; password: string; otp: string | null },
): Promise<string> =>
  signInByName(service, caller, { ...proof, clientId: consoleClientId, more: sessionColumns });

/** For a person whom the OpenID provider knows. Returns the token for the cookie. */
export async function startSessionWithCode(
  service: Service,
  caller: TokenCaller,
  proof: { code: string; verifier: string },
): Promise<string> {
  const request = { ...caller, ...proof, clientId: consoleClientId, more: sessionColumns };
  return (await redeemCode(service, request)).access_token;
}

/** Returns the token for the cookie. */
export const startSessionWithPasskey = (
  service: Service,
  { address, userAgent }: TokenCaller,
  credential: PasskeySignIn['credential'],
): Promise<string> => signInWithPasskey(service, { address, userAgent, credential, more: sessionColumns });

export interface SessionTimes {
  expiresAt: number;
  /** Null: the token cannot be renewed. */
  renewableUntil: number | null;
}

const timesOf = (row: AccessTokenRow): SessionTimes => ({
  expiresAt: row.expires_at,
  renewableUntil: row.session_at === null ? null : row.session_at + sessionMs,
});

/** For a token of any kind that a user can hold. */
export async function describeSession(service: Service, user: SignedInUser): Promise<SessionTimes> {
  const { query } = service.database;
  const [hash, now] = [user.tokenHash ?? '', service.clock.now()];
  if (user.personalToken) {
    const token = await findPersonalToken(query, hash, now);
    if (token) return { expiresAt: token.expires_at, renewableUntil: null };
  }
  const row = await findAccessToken(query, hash, now);
  if (!row) throw ended();
  return timesOf(row);
}

export interface RenewedSession {
  /** Null: the token of the request stays. */
  token: string | null;
  expiresAt: number;
  renewableUntil: number;
}

/** When a token issued now ends. */
const endOf = (now: number, sessionAt: number): number =>
  Math.min(now + tokenLifetimeSeconds * 1000, sessionAt + sessionMs);

/** A token that ends before its time has been replaced: another tab was faster. */
const isReplaced = (row: AccessTokenRow, sessionAt: number): boolean =>
  row.expires_at < endOf(row.issued_at, sessionAt);

/** Replaces the token of a session, if it is old enough. */
export async function renewSession(service: Service, actor: Actor): Promise<RenewedSession> {
  const { accountId, tokenHash = '' } = signedInUser(actor);
  return changeAccess(service, accountId, async (query) => {
    const now = service.clock.now();
    const row = await findAccessToken(query, tokenHash, now);
    if (!row) throw ended();
    const { session_at: sessionAt } = row;
    if (sessionAt === null)
      throw new Failure('conflict', 'This token belongs to no session', {
        description: 'Only sign-ins at POST /v3/session are renewed. Request a new token instead.',
      });
    const expiresAt = endOf(now, sessionAt);
    const renewableUntil = sessionAt + sessionMs;
    const isYoung = now - row.issued_at < renewedAfterMs;
    if (isYoung || isReplaced(row, sessionAt) || expiresAt <= row.expires_at)
      return { token: null, expiresAt: row.expires_at, renewableUntil };
    const token = newAccessToken();
    const { hash, issued_at: _issued, ...same } = row;
    // First, because a token that was deleted just now must get no successor.
    if (!(await endTokenAt(query, hash, Math.min(row.expires_at, now + overlapMs)))) throw ended();
    await storeToken(query, { token, now, row: { ...same, expires_at: expiresAt } });
    return { token, expiresAt, renewableUntil };
  });
}

interface EndedSession {
  user: SignedOutUser;
  tokenHash: string;
  sessionHash: string | null;
  address: string;
}

/** With the lock, because a renewal at the same time would store a token that the deletion does not see. */
const signOut = (service: Service, { user, address, ...hashes }: EndedSession): Promise<void> =>
  changeAccess(service, user.accountId, async (query) => {
    await deleteSession(query, hashes);
    await recordSignOut(service, query, { user, address });
  });

/** Ends the sign-in of the request. */
export async function endSession(service: Service, user: SignedInUser, address: string): Promise<void> {
  const { tokenHash = '', sessionHash = null } = user;
  if (user.personalToken)
    throw new Failure('forbidden', 'A personal access token is not a session', {
      description: 'To end it, send it to POST /v3/revoke, or run: alm token revoke <token id>.',
    });
  await signOut(service, { user, tokenHash, sessionHash, address });
}

/** Users of a suspended account cannot do anything else. Does nothing if the token is not that of a sign-in of a user. */
export async function endSuspendedSession(service: Service, token: string, address: string): Promise<void> {
  const row = await findTokenToEnd(service.database.query, digest(token), service.clock.now());
  if (!row) return;
  const { account_id: accountId, username, client_id: clientId, client_kind: clientKind } = row;
  const user = { accountId, username, clientId, clientKind };
  await signOut(service, { user, tokenHash: row.hash, sessionHash: row.session_hash, address });
}
