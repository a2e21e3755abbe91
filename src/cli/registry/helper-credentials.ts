import { isObject } from '../../basics/is-object.ts';
import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { isSameAddress } from '../net/address.ts';
import { ApiError } from '../net/api-error.ts';
import { findStore } from '../stores/find-store.ts';
import { below, exchange, isSuccessful, type RegistryResponse } from './exchange.ts';

/** What container tools send to the token service. */
export interface HelperCredentials {
  username: string;
  secret: string;
}

/** By this user name container tools know that the secret is a refresh token, not a password. */
const tokenUser = '<token>';

const otherTools = 'For another registry, sign in with the container tool itself: docker login <registry>';

const issuesNoTokens = ({ settings }: Context): CliError =>
  new CliError('refused', `Almanac at ${settings.api_url} does not issue tokens for container tools.`, {
    hints: [otherTools],
  });

async function request(context: Context, token: string): Promise<RegistryResponse> {
  const url = below(context.settings.api_url, '/v3/docker/token');
  url.searchParams.set('offline_token', 'true');
  url.searchParams.set('client_id', 'alm');
  return exchange(context, { method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
}

async function requestRenewed(context: Context): Promise<RegistryResponse> {
  const token = await context.tokens.token();
  const first = await request(context, token);
  if (first.status !== 401) return first;
  const renewed = await context.tokens.renew(token);
  return renewed === null ? first : request(context, renewed);
}

/** Fails if the service does not accept the login. */
export async function requireAccepted(context: Context): Promise<void> {
  const response = await requestRenewed(context);
  if (response.status === 401) throw new ApiError(response);
}

function refreshTokenIn({ text }: RegistryResponse): string | null {
  try {
    const body: unknown = JSON.parse(text);
    const found = isObject(body) ? body['refresh_token'] : null;
    return typeof found === 'string' && found !== '' ? found : null;
  } catch {
    return null;
  }
}

const isApiClient = ({ settings }: Context): CliError =>
  new CliError('refused', `Almanac at ${settings.api_url} issues no refresh tokens to API clients.`, {
    hints: ['Set ALM_CLIENT_ID and ALM_CLIENT_SECRET: the helper passes them on.', otherTools],
  });

/** Id and secret of the API client that is signed in; null: alm does not have them. */
async function ownCredentials({ system, settings, profile }: Context): Promise<HelperCredentials | null> {
  const { ALM_CLIENT_ID: id, ALM_CLIENT_SECRET: secret } = system.env;
  if (id && secret) return { username: id, secret };
  // The login is a token: the credential store is not about it.
  if (settings.access_token !== '') return null;
  const kept = await (await findStore(system))?.read(profile);
  if (!kept || !isSameAddress(kept.url, settings.api_url)) return null;
  const { clientId, clientSecret, username } = kept.signIn;
  return clientSecret && username === undefined ? { username: clientId, secret: clientSecret } : null;
}

/**
 * A short-lived refresh token for the login of the context. API clients get none: their own id and secret, from the environment or the
 * credential store, are passed on.
 */
export async function requestCredentials(context: Context): Promise<HelperCredentials> {
  const response = await requestRenewed(context);
  if (response.status === 404) throw issuesNoTokens(context);
  if (!isSuccessful(response)) throw new ApiError(response);
  const secret = refreshTokenIn(response);
  if (secret !== null) return { username: tokenUser, secret };
  const own = await ownCredentials(context);
  if (own === null) throw isApiClient(context);
  return own;
}
