import { Failure } from '../../basics/failure.ts';
import { callerAt } from '../../basics/net/caller-at.ts';
import type { consoleClientId, gatewayClientId } from '../../model/client-kinds.ts';
import { newAccessToken } from '../../model/names.ts';
import { recordLogin } from '../../store/access/users.ts';
import { changeAccess } from '../access/access-lock.ts';
import type { Service } from '../service.ts';
import { passwordMatches } from './check-password.ts';
import { ambiguousLoginHint, findLogin } from './find-login.ts';
import { originOf, type TokenCaller } from './token-origin.ts';
import { type NewToken, saveToken } from './tokens.ts';

export interface NamedSignIn {
  /** What the list of sign-ins and the audit log show as the client. */
  clientId: typeof gatewayClientId | typeof consoleClientId;
  login: string;
  password: string;
  /** Null: the caller sent none. */
  otp: string | null;
  /** For clients that know no codes: see `passwordMatches`. */
  codeInPassword?: boolean;
  /** Further columns of the token. */
  more?: (token: string, now: number) => Partial<NewToken['row']>;
}

const wrongLogin = () =>
  new Failure('unauthorized', 'credentials validation failed', { description: ambiguousLoginHint });

/** Signs a user in by name, without an API client. Returns an ordinary access token. */
export async function signInByName(
  service: Service,
  caller: TokenCaller,
  { clientId, login: username, password, otp, codeInPassword = false, more = () => ({}) }: NamedSignIn,
): Promise<string> {
  service.hashing.refuseIfFull(callerAt(caller.address));
  const login = await findLogin(service.database.query, username);
  const { user, accountId } = login;
  const proof = { address: caller.address, otp, codeInPassword };
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
        client_id: clientId,
        client_kind: 'sign-in',
        ...originOf('password', caller),
        ...more(token, now),
      },
    });
  });
  return token;
}
