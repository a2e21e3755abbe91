import { Failure } from '../../basics/failure.ts';
import { callerAt } from '../../basics/net/caller-at.ts';
import { gatewayClientId } from '../../model/client-kinds.ts';
import { newAccessToken } from '../../model/names.ts';
import { recordLogin } from '../../store/access/users.ts';
import { changeAccess } from '../access/access-lock.ts';
import type { Service } from '../service.ts';
import { passwordMatches } from '../sign-in/check-password.ts';
import { ambiguousLoginHint, findLogin } from '../sign-in/find-login.ts';
import { originOf, type TokenCaller } from '../sign-in/token-origin.ts';
import { saveToken } from '../sign-in/tokens.ts';

const wrongLogin = () =>
  new Failure('unauthorized', 'credentials validation failed', { description: ambiguousLoginHint });

/** Signs a user in to the ssh gateway. The key it returns is an ordinary access token. */
export async function signInAtGateway(
  service: Service,
  caller: TokenCaller,
  { login: username, password, otp }: { login: string; password: string; otp: string | null },
): Promise<string> {
  service.hashing.refuseIfFull(callerAt(caller.address));
  const login = await findLogin(service.database.query, username);
  const { user, accountId } = login;
  const proof = { address: caller.address, otp, codeInPassword: true };
  const matches = await passwordMatches(service, { ...login, ...proof }, password);
  if (!user || !matches) throw wrongLogin();
  const token = newAccessToken();
  const now = service.clock.now();
  await changeAccess(service, accountId, async (query) => {
    if (!(await recordLogin(query, user, now))) throw wrongLogin();
    await saveToken(service, query, {
      token,
      now,
      row: {
        account_id: accountId,
        kind: 'user',
        subject: user.id,
        client_id: gatewayClientId,
        client_kind: 'sign-in',
        ...originOf('password', caller),
      },
    });
  });
  return token;
}

/** Clients send the key link they got here before. It is not followed; a link to another service is refused unread. */
export function refuseForeignKeyLink(service: Service, link: string | undefined): void {
  const prefix = `${service.settings.baseUrl}/v3/alm/pem/`;
  if (!link || (link.startsWith(prefix) && /^[0-9A-Za-z]{1,128}$/.test(link.slice(prefix.length)))) return;
  throw new Failure('invalid_request', 'The URL of the key is not a URL of this service', {
    description: `Omit it, or send the URL returned by GET /v3/alm/pem: ${prefix}…`,
  });
}
