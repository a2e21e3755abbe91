import { Failure, notFound } from '../../../basics/failure.ts';
import { newAccountId as newUserId } from '../../../model/names.ts';
import { readClaim } from '../../../openid/claims.ts';
import type { OpenIdClaims } from '../../../openid/provider.ts';
import { findUserById, findUserByLogin, insertUser, type UserRow } from '../../../store/access/accounts.ts';
import { findIdentity, insertIdentity } from '../../../store/access/openid-identities.ts';
import type { Query } from '../../../store/database/database.ts';
import { refuseKeptRepositories } from '../../access/kept-repositories.ts';
import { checkUsername, refuseClientName } from '../../access/users.ts';
import type { OpenIdSignIn, Service } from '../../service.ts';

interface Person {
  accountId: string;
  /**
   * Of a password that nobody knows: a new user signs in with the provider only, until the master sets a password. Null: the
   * person had a user when the sign-in began.
   */
  passwordHash: string | null;
  claims: OpenIdClaims;
  openId: OpenIdSignIn;
}

/** What the master must do, with the values it needs. */
const linkAdvice = ({ issuer, subject }: OpenIdClaims, name: string): string =>
  `The master can link them: alm user link ${name} --subject ${subject} --issuer ${issuer}`;

/** Never links by name or e-mail address: people can choose those at many providers, and would get the user of another person. */
async function refuseTakenName(query: Query, { accountId, claims }: Person, name: string): Promise<void> {
  if (!(await findUserByLogin(query, accountId, name))) return;
  throw new Failure('conflict', `A user with the name ${name} exists and is not linked with your identity`, {
    description: linkAdvice(claims, name),
  });
}

function usernameIn({ claims, openId }: Person): string {
  const { usernameClaim } = openId.config;
  const name = readClaim(claims.all, usernameClaim);
  if (typeof name !== 'string' || name === '')
    throw new Failure('forbidden', `The OpenID provider sent no claim ${usernameClaim} with a user name`, {
      description: 'The operator can check ALM_OIDC_USERNAME_CLAIM and ALM_OIDC_SCOPE.',
    });
  checkUsername(name);
  return name;
}

const emailIn = ({ all }: OpenIdClaims): string => {
  const { email } = all;
  return typeof email === 'string' && /^[\x21-\x7E]{1,254}$/.test(email) ? email : '';
};

async function createUser(service: Service, query: Query, person: Person): Promise<UserRow> {
  const { accountId, claims, openId } = person;
  const username = usernameIn(person);
  if (!openId.config.createsUsers)
    throw new Failure('forbidden', 'No user of this server is linked with your identity', {
      description: linkAdvice(claims, '<name>'),
    });
  await refuseClientName(query, accountId, username);
  await refuseTakenName(query, person, username);
  await refuseKeptRepositories(
    query,
    { accountId, username },
    'Ask the master, who can delete them, or create and link the user.',
  );
  if (person.passwordHash === null)
    throw new Failure('unavailable', 'Your user was deleted or unlinked during the sign-in; sign in again');
  const id = newUserId();
  const created_at = service.clock.now();
  const email = emailIn(claims);
  await insertUser(query, {
    id,
    account_id: accountId,
    username,
    email,
    password_hash: person.passwordHash,
    master: 0,
    created_at,
  });
  const { issuer, subject } = claims;
  await insertIdentity(query, { account_id: accountId, issuer, subject, user_id: id, created_at });
  const user = await findUserById(query, id);
  if (!user) throw notFound('User', username);
  return user;
}

/** The user that this identity signs in as; created if the settings allow it. Call it in a change of the account. */
export async function userOfIdentity(
  service: Service,
  query: Query,
  person: Person,
): Promise<{ user: UserRow; isNew: boolean }> {
  const { issuer, subject } = person.claims;
  const identity = await findIdentity(query, { account_id: person.accountId, issuer, subject });
  const user = identity && (await findUserById(query, identity.user_id));
  if (user) return { user, isNew: false };
  return { user: await createUser(service, query, person), isNew: true };
}
