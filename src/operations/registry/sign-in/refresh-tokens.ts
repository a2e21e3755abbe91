import { Secret } from '../../../basics/secret.ts';
import { registryClientId } from '../../../model/client-kinds.ts';
import { newRegistryRefreshToken } from '../../../model/names.ts';
import { findUserById, registryGrant, type UserRow } from '../../../store/access/accounts.ts';
import { recordTokenUse } from '../../../store/access/own-tokens.ts';
import { findRegistryToken, trimRegistryTokens } from '../../../store/access/registry-tokens.ts';
import { findSecondFactor } from '../../../store/access/second-factors.ts';
import { recordLogin } from '../../../store/access/users.ts';
import { type Actor, actorBehind } from '../../access/access.ts';
import { changeAccess } from '../../access/access-lock.ts';
import { digest } from '../../access/secret-hash.ts';
import { refuseSuspended } from '../../access/suspension.ts';
import { type Service, sealedFor } from '../../service.ts';
import { originOf, type TokenCaller } from '../../sign-in/token-origin.ts';
import { saveToken } from '../../sign-in/tokens.ts';
import { userActor } from './user-actor.ts';
import { wrongCredentials } from './wrong-credentials.ts';

const hourMs = 60 * 60_000;
const lifetimeMs = 90 * 24 * hourMs;
const maxOfUser = 50;

/** After a password: a token of its own, which the user sees and revokes in the list of sign-ins. */
export async function storeRefreshToken(
  service: Service,
  caller: TokenCaller,
  user: UserRow,
): Promise<string> {
  const token = newRegistryRefreshToken();
  const now = service.clock.now();
  await changeAccess(service, user.account_id, async (query) => {
    if (!(await recordLogin(query, user, now))) throw wrongCredentials();
    // It may have been enabled since the password was checked.
    if ((await findSecondFactor(query, user.id))?.confirmed_at) throw wrongCredentials();
    const row = {
      account_id: user.account_id,
      kind: 'user',
      subject: user.id,
      client_id: registryClientId,
      client_kind: 'sign-in',
      expires_at: now + lifetimeMs,
      ...originOf(registryGrant, caller),
    } as const;
    await saveToken(service, query, { token, now, row });
    await trimRegistryTokens(query, user.id, maxOfUser);
  });
  return token;
}

/**
 * After a token: it stands for that token and ends with it, so it has its limits, and is revoked with it. A sign-in gets a short one, because it
 * may be renewed; a program that stores it after a personal access token cannot ask again.
 */
export function sealRefreshToken(
  { sealer, clock }: Service,
  { tokenHash, lasts }: { tokenHash: string; lasts: 'an hour' | 'as long as the token' },
): string {
  const until = clock.now() + (lasts === 'an hour' ? hourMs : lifetimeMs);
  return `almr_${sealer.seal(new Secret(`${until} ${tokenHash}`), sealedFor.registryRefresh)}`;
}

function unsealed({ sealer, clock }: Service, text: string): string | null {
  try {
    const [until, hash] = sealer.unseal(text, sealedFor.registryRefresh).reveal().split(' ');
    return hash !== undefined && Number(until) > clock.now() ? hash : null;
  } catch {
    return null;
  }
}

const useRecordedMs = 60_000;

async function storedActor(service: Service, token: string): Promise<Actor | null> {
  const { query } = service.database;
  const now = service.clock.now();
  const row = await findRegistryToken(query, digest(token), now);
  const user = row && (await findUserById(query, row.subject));
  if (!row || !user) return null;
  await refuseSuspended(query, row.account_id);
  const before = now - useRecordedMs;
  if (row.last_used_at === null || row.last_used_at <= before)
    await recordTokenUse(query, { hash: row.hash, now, before });
  return userActor(query, user);
}

/** Null: the token is wrong, or has ended. */
export async function actorOfRefreshToken(service: Service, token: string): Promise<Actor | null> {
  const [, sealed] = /^almr_(v.*)$/s.exec(token) ?? [];
  if (sealed === undefined || !sealed.includes('.')) return storedActor(service, token);
  const hash = unsealed(service, sealed);
  return hash === null ? null : actorBehind(service, hash);
}
