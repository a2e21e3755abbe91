import type { Static } from 'typebox';
import type { accessToken } from '../../contract/token-schema.ts';
import { CliError } from '../cli-error.ts';
import type { Profile } from '../settings/settings.ts';
import type { System } from '../system.ts';
import { isSuccess, send, textOf } from './http.ts';
import { Refused } from './refused.ts';
import type { Trace } from './trace.ts';

/** Who somebody is: an API client, and a user of it unless the client acts by itself. */
export interface SignIn {
  clientId: string;
  clientSecret: string;
  username?: string;
  password?: string;
}

export interface FreshToken {
  token: string;
  /** ISO 8601. */
  expires: string;
}

interface Tools {
  system: System;
  settings: Profile;
  trace: Trace;
}

/** The v2 interface knows no users: whoever signs in with a name does so through v3, and the token counts for both. */
const pathFor = ({ username }: SignIn, { api_version: version }: Profile): string =>
  username === undefined && version === 'v2' ? '/v2/access_token' : '/v3/access_token';

/** A wrong name or password: what is wrong with it is in the message, and it is the same whatever asked. */
function refusal(refused: Refused, url: URL): CliError {
  if (refused.ending !== 'signIn') return refused;
  return new CliError('signIn', refused.message, {
    lines: refused.lines,
    hints: [`${url.origin} was asked. Is it the right one? With other credentials: alm login`],
  });
}

function readToken(text: string, now: number, url: URL): FreshToken {
  try {
    const { access_token: token, expires_in: seconds } = JSON.parse(text) as Partial<
      Static<typeof accessToken>
    >;
    if (typeof token === 'string' && token !== '' && typeof seconds === 'number')
      return { token, expires: new Date(now + seconds * 1000).toISOString() };
  } catch {
    // A page of something else.
  }
  throw new CliError('refused', `${url.origin} gave no token: the answer is not one of Almanac.`, {
    hints: ['Is the address right? Another one: --url'],
  });
}

export async function requestToken({ system, settings, trace }: Tools, signIn: SignIn): Promise<FreshToken> {
  const { clientId, clientSecret, username, password } = signIn;
  const url = new URL(settings.api_url.replace(/\/+$/, '') + pathFor(signIn, settings));
  const headers = { 'content-type': 'application/json', 'user-agent': 'alm' };
  const body = JSON.stringify({
    client_id: clientId,
    client_secret: clientSecret,
    ...(username === undefined
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'password', username, password }),
  });
  trace.asked('POST', url, headers);
  const sent = { method: 'POST', url, headers, body, timeoutSeconds: settings.timeout };
  const received = await send(system, sent);
  trace.answered(received);
  const text = await textOf(received, url);
  trace.ended();
  const { status, statusLine, headers: answered } = received;
  if (!isSuccess(status)) {
    const ending = status === 400 ? 401 : status;
    throw refusal(new Refused({ status: ending, statusLine, text, headers: answered }), url);
  }
  return readToken(text, system.clock.now(), url);
}
