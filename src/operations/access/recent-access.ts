import {
  type AccessSince,
  deleteClientsSince,
  deleteKeyLinksOf,
  deletePasskeysSince,
  deletePersonalTokensSince,
  deleteSignInsSince,
  type MadeAccess,
  recentClients,
  recentPasskeys,
  recentPersonalTokens,
  recentRoles,
  recentSignIns,
  recentUsers,
} from '../../store/access/recent-access.ts';
import { deleteSignInCodesOfAccount } from '../../store/access/sign-in-codes.ts';
import type { Service } from '../service.ts';
import { changeAccess } from './access-lock.ts';
import { type Actor, lastingHash } from './actor.ts';

export type { MadeAccess } from '../../store/access/recent-access.ts';

export interface RecentAccess {
  clients: MadeAccess[];
  users: MadeAccess[];
  roles: MadeAccess[];
  personalTokens: MadeAccess[];
  passkeys: MadeAccess[];
  signIns: MadeAccess[];
}

const monthMs = 30 * 24 * 60 * 60_000;

/** Without a time: of the last 30 days. */
const sinceOf = ({ clock }: Service, since: number | null): number => since ?? clock.now() - monthMs;

/** What was made since a time that still gives access to the account. */
export async function describeRecentAccess(
  service: Service,
  { accountId }: Actor,
  since: number | null,
): Promise<RecentAccess> {
  const { query } = service.database;
  const wanted: AccessSince = { accountId, since: sinceOf(service, since) };
  return {
    clients: await recentClients(query, wanted),
    users: await recentUsers(query, wanted),
    roles: await recentRoles(query, wanted),
    personalTokens: await recentPersonalTokens(query, wanted),
    passkeys: await recentPasskeys(query, wanted),
    signIns: await recentSignIns(query, wanted),
  };
}

export interface EndedAccess {
  clients: number;
  personalTokens: number;
  passkeys: number;
  signIns: number;
  keyLinks: number;
}

/** Ends the sign-ins, tokens, passkeys, clients and key links that were made since a time, except the sign-in of the request. */
export const endAccessSince = (service: Service, actor: Actor, since: number): Promise<EndedAccess> =>
  changeAccess(service, actor.accountId, async (query) => {
    const wanted = { accountId: actor.accountId, since };
    // Each would become a new sign-in.
    await deleteSignInCodesOfAccount(query, actor.accountId);
    return {
      clients: await deleteClientsSince(query, wanted),
      personalTokens: await deletePersonalTokensSince(query, wanted),
      passkeys: await deletePasskeysSince(query, wanted),
      signIns: await deleteSignInsSince(query, { ...wanted, keptHash: lastingHash(actor) ?? '' }),
      keyLinks: await deleteKeyLinksOf(query, actor.accountId),
    };
  });
