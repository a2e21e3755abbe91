import { Failure } from '../../../basics/failure.ts';
import { randomText } from '../../../basics/random.ts';
import type { OpenIdClaims } from '../../../openid/provider.ts';
import { findAccount } from '../../../store/access/account-rows.ts';
import { deleteAccessTokensOf, type UserRow } from '../../../store/access/accounts.ts';
import { findIdentity } from '../../../store/access/openid-identities.ts';
import { deletePasskeysOf } from '../../../store/access/passkeys.ts';
import { deletePersonalTokensOf } from '../../../store/access/personal-tokens.ts';
import { insertSignInCode } from '../../../store/access/sign-in-codes.ts';
import { listUserRoles } from '../../../store/access/user-roles.ts';
import type { Query } from '../../../store/database/database.ts';
import { readMeta } from '../../../store/database/meta.ts';
import { changeAccess } from '../../access/access-lock.ts';
import { digest, hashChosen } from '../../access/secret-hash.ts';
import { refuseSuspended } from '../../access/suspension.ts';
import type { OpenIdSignIn, Service } from '../../service.ts';
import { userOfIdentity } from './identities.ts';
import type { PendingSignIn } from './pending.ts';
import { groupsIn, syncRoles } from './sync-roles.ts';

const codeSeconds = 60;

/** What a sign-in changed, and how it ended. */
export interface Admission {
  user: UserRow;
  /** In words, for the audit log. */
  changes: string[];
  /** Null: the person is signed in. */
  refusal: Failure | null;
  /** Only valid without a refusal. */
  code: string;
}

interface Arrival {
  claims: OpenIdClaims;
  pending: PendingSignIn;
}

async function accountOf({ database }: Service, { config }: OpenIdSignIn): Promise<string> {
  const id = config.accountId ?? (await readMeta(database.query, 'first_account')) ?? '';
  const account = await findAccount(database.query, id);
  if (account && account.deleted_at === null) return id;
  throw new Failure('unavailable', 'The account that the OpenID provider signs in to does not exist', {
    description: 'The operator can correct ALM_OIDC_ACCOUNT.',
  });
}

/** Only for a new user, because a hash is expensive; and before the change, because hashing may have to wait. */
async function hashForNewUser(
  service: Service,
  accountId: string,
  { issuer, subject }: OpenIdClaims,
): Promise<string | null> {
  const known = await findIdentity(service.database.query, { account_id: accountId, issuer, subject });
  return known ? null : hashChosen(service.hashing.of(`account ${accountId}`), randomText(43));
}

const noRole = (): Failure =>
  new Failure('forbidden', 'None of your groups maps to a role', {
    description:
      'Ask for a group of ALM_OIDC_ROLES at the OpenID provider, or ask the master of the account for a role.',
  });

/** A user without roles has default rights: anyone who leaves the last group must not get these instead. */
async function withoutRole(query: Query, { id, account_id }: UserRow, isNew: boolean): Promise<boolean> {
  if ((await listUserRoles(query, account_id, id)).length > 0) return false;
  // Undoes the creation.
  if (isNew) throw noRole();
  await deleteAccessTokensOf(query, id);
  await deletePersonalTokensOf(query, id);
  await deletePasskeysOf(query, id);
  return true;
}

/** Finds or creates the user of a person, gives it the roles of the groups, and issues a code for the client. */
export async function admit(
  service: Service,
  openId: OpenIdSignIn,
  { claims, pending }: Arrival,
): Promise<Admission> {
  const { groupsClaim, roles: mapping } = openId.config;
  const groups = mapping.length > 0 ? groupsIn(claims.all, groupsClaim) : [];
  const accountId = await accountOf(service, openId);
  const code = randomText(43);
  const passwordHash = await hashForNewUser(service, accountId, claims);
  return changeAccess(service, accountId, async (query) => {
    await refuseSuspended(query, accountId);
    const { user, isNew } = await userOfIdentity(service, query, { accountId, passwordHash, claims, openId });
    const now = service.clock.now();
    const changes = await syncRoles(query, { user, groups, mapping, now });
    // Returned, not thrown: the roles and tokens stay deleted.
    if (mapping.length > 0 && (await withoutRole(query, user, isNew)))
      return { user, changes: [...changes, 'sign-in refused'], refusal: noRole(), code };
    const row = {
      hash: digest(code),
      user_id: user.id,
      client_id: pending.clientId,
      code_challenge: pending.codeChallenge,
      expires_at: now + codeSeconds * 1000,
    };
    await insertSignInCode(query, row, now);
    return { user, changes: [...(isNew ? ['user created'] : []), ...changes], refusal: null, code };
  });
}
