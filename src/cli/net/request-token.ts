import type { Static } from 'typebox';
import type { accessToken } from '../../contract/token-schema.ts';
import { CliError } from '../cli-error.ts';
import type { Profile } from '../settings/settings.ts';
import type { System } from '../system.ts';
import { userAgent } from '../version.ts';
import { ApiError } from './api-error.ts';
import { isSuccess, readBody, send } from './http.ts';
import { notFoundHints } from './not-found-hints.ts';
import type { Trace } from './trace.ts';

/** Credentials: a client, and a user unless the client acts for itself. */
export interface SignIn {
  clientId: string;
  /** Missing: the client of the command line, which has none. */
  clientSecret?: string;
  username?: string;
  password?: string;
}

/** The password is right, but the user also has a second factor. */
export class CodeRequired extends CliError {}

export interface FreshToken {
  token: string;
  /** ISO 8601. */
  expires: string;
}

interface TokenRequest {
  system: System;
  settings: Profile;
  trace: Trace;
}

/** API v2 has no users: a login with a user name uses v3, and the token is valid for both. */
const pathFor = ({ username }: SignIn, { api_version: version }: Profile): string =>
  username === undefined && version === 'v2' ? '/v2/access_token' : '/v3/access_token';

/** Wrong credentials: adds which server rejected them. */
function loginError(error: ApiError, url: URL): CliError {
  if (error.exitReason !== 'signIn') return error;
  if (error.body?.error === 'mfa_required')
    return new CodeRequired('signIn', error.message, {
      hints: ['Sign in with a one-time code: alm login', 'For programs: alm token create, and ALM_TOKEN.'],
    });
  return new CliError('signIn', error.message, {
    lines: error.lines,
    hints: [`The server is ${url.origin}. To use other credentials: alm login`],
  });
}

export function readToken(text: string, now: number, url: URL): FreshToken {
  try {
    const { access_token: token, expires_in: seconds } = JSON.parse(text) as Partial<
      Static<typeof accessToken>
    >;
    if (typeof token === 'string' && token !== '' && typeof seconds === 'number')
      return { token, expires: new Date(now + seconds * 1000).toISOString() };
  } catch {
    // Not JSON: another server.
  }
  throw new CliError('refused', `No token from ${url.origin}: the response is not from Almanac.`, {
    hints: ['Check the URL. To use another one: --url'],
  });
}

export async function requestToken(
  { system, settings, trace }: TokenRequest,
  signIn: SignIn & { otp?: string },
): Promise<FreshToken> {
  const { clientId, clientSecret, username, password, otp } = signIn;
  const url = new URL(settings.api_url.replace(/\/+$/, '') + pathFor(signIn, settings));
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent };
  const body = JSON.stringify({
    client_id: clientId,
    client_secret: clientSecret,
    ...(username === undefined
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'password', username, password, ...(otp === undefined ? {} : { otp }) }),
  });
  trace.request('POST', url, headers);
  const request = { method: 'POST', url, headers, body, timeoutSeconds: settings.timeout };
  const response = await send(system, request);
  trace.response(response);
  const text = await readBody(response, url);
  trace.done();
  if (!isSuccess(response.status)) {
    // Wrong credentials are a 400 response at the token endpoint.
    const status = response.status === 400 ? 401 : response.status;
    const hints = status === 404 ? notFoundHints(url, text) : [];
    throw loginError(new ApiError({ ...response, status, text, hints }), url);
  }
  return readToken(text, system.clock.now(), url);
}
