import { Failure } from '../../basics/failure.ts';
import { newAccessToken, newTokenId } from '../../model/names.ts';
import {
  deleteExpiredAccessTokens,
  findUserByLogin,
  findUsersByLogin,
  insertAccessToken,
  type UserRow,
} from '../../store/access/accounts.ts';
import { recordLogin } from '../../store/access/users.ts';
import { changeAccess } from '../access/access-lock.ts';
import { passwordFits } from '../access/check-password.ts';
import { digest } from '../access/secret-hash.ts';
import { tokenLifetimeSeconds } from '../access/tokens.ts';
import type { Service } from '../service.ts';

/** What the list of a user's tokens shows as the client. */
const gatewayClient = 'gateway';

const wrong = () =>
  new Failure('unauthorized', 'credentials validation failed', {
    description: 'Where several accounts have a user of this name, write <account id>.<name>.',
  });

/** The gateway's clients name no account: the name must be somebody's in one account only, or begin with the account's id. */
async function findLogin(service: Service, login: string): Promise<UserRow | undefined> {
  const { query } = service.database;
  const [, accountId, name] = /^([0-9a-f]{13})\.(.+)$/.exec(login) ?? [];
  if (accountId !== undefined && name !== undefined) return findUserByLogin(query, accountId, name);
  const [only, ...others] = await findUsersByLogin(query, login, 2);
  return others.length === 0 ? only : undefined;
}

/** Signs a user in for the ssh gateway. The key is an access token like any other. */
export async function signInAtGateway(service: Service, login: string, password: string): Promise<string> {
  const user = await findLogin(service, login);
  const accountId = user?.account_id ?? gatewayClient;
  const fits = await passwordFits(service, { accountId, user, username: login }, password);
  if (!user || !fits) throw wrong();
  const token = newAccessToken();
  const now = service.clock.now();
  await changeAccess(service, accountId, async (query) => {
    if (!(await recordLogin(query, user, now))) throw wrong();
    await deleteExpiredAccessTokens(query, now);
    await insertAccessToken(query, {
      hash: digest(token),
      id: newTokenId(),
      account_id: accountId,
      kind: 'user',
      subject: user.id,
      client_id: gatewayClient,
      issued_at: now,
      expires_at: now + tokenLifetimeSeconds * 1000,
    });
  });
  return token;
}

/** Clients send the link to the key they got here before. It is not followed, and nobody else's link is even looked at. */
export function refuseForeignKeyLink(service: Service, link: string | undefined): void {
  const own = `${service.settings.baseUrl}/v3/alm/pem/`;
  if (!link || (link.startsWith(own) && /^[0-9A-Za-z]{1,128}$/.test(link.slice(own.length)))) return;
  throw new Failure('invalid_request', 'The address of the key is not one of this service', {
    description: `Leave it out, or send what GET /v3/alm/pem answered: ${own}…`,
  });
}
