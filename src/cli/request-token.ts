import type { Static } from 'typebox';
import type { accessToken } from '../contract/token-schema.ts';
import { send, textOf } from './http.ts';
import { Refused } from './refused.ts';
import type { Profile } from './settings.ts';
import type { System } from './system.ts';
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
  const received = await send(system.clock, sent);
  trace.answered(received);
  const text = await textOf(received, url);
  trace.ended();
  const { status, statusLine } = received;
  if (status < 200 || status > 299)
    throw new Refused({ status: status === 400 ? 401 : status, statusLine, text });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract says what the route answers
  const answer = JSON.parse(text) as Static<typeof accessToken>;
  const expires = new Date(system.clock.now() + answer.expires_in * 1000).toISOString();
  return { token: answer.access_token, expires };
}
