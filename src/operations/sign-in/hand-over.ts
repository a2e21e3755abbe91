import { Failure } from '../../basics/failure.ts';
import { randomText } from '../../basics/random.ts';
import { publicClientId } from '../../model/client-kinds.ts';
import { findAccessToken } from '../../store/access/accounts.ts';
import { insertSignInCode } from '../../store/access/sign-in-codes.ts';
import type { Actor } from '../access/access.ts';
import { changeAccess } from '../access/access-lock.ts';
import { digest } from '../access/secret-hash.ts';
import { signedInUser } from '../access/users.ts';
import type { Service } from '../service.ts';
import { checkedRedirectUri, redirectWith } from './openid/redirect-uri.ts';
import { ended } from './session-ended.ts';

const codeSeconds = 60;

export interface HandOver {
  redirectUri: string;
  state: string;
  codeChallenge: string;
}

/**
 * Signs the command line in as the user of a browser session, however that signed in. Returns the address at which the
 * command line waits, with a code for it.
 */
export async function handOver(service: Service, actor: Actor, request: HandOver): Promise<string> {
  const { userId, accountId, sessionHash, tokenHash } = signedInUser(actor);
  if (sessionHash === undefined)
    throw new Failure('forbidden', 'Only a browser session can sign the command line in', {
      description: 'Run alm login --browser, and continue in the browser.',
    });
  const { state, codeChallenge } = request;
  const redirectUri = checkedRedirectUri(service.settings.baseUrl, request.redirectUri);
  const code = randomText(43);
  const now = service.clock.now();
  const row = {
    hash: digest(code),
    user_id: userId,
    client_id: publicClientId,
    code_challenge: codeChallenge,
    expires_at: now + codeSeconds * 1000,
  };
  await changeAccess(service, accountId, async (query) => {
    // A password change that came first has ended this sign-in, and must end what it still does.
    if (!(await findAccessToken(query, tokenHash ?? '', now))) throw ended();
    await insertSignInCode(query, row, now);
  });
  return redirectWith({ redirectUri, state }, { code });
}
