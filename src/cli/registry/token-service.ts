import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { exitReasonOf } from '../exit-codes.ts';
import { ApiError } from '../net/api-error.ts';
import { type Challenge, challengeOf } from './challenge.ts';
import { below, exchange, exchangeWithRegistry, isSuccessful, type RegistryResponse } from './exchange.ts';
import { trustedRealm } from './realm.ts';
import type { RegistryUser } from './registry-user.ts';
import { loginToken, type ServerRegistry } from './server-registry.ts';

interface RegistryToken {
  token: string;
  seconds: number;
  /** The unchanged response. */
  text: string;
}

/** The default of the token protocol when the response has no `expires_in`. */
const defaultSeconds = 60;

const memberOf = (text: string, name: string): unknown => {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null
      ? Object.entries(body).find(([key]) => key === name)?.[1]
      : undefined;
  } catch {
    return undefined;
  }
};

function parseToken({ text }: RegistryResponse, url: URL): RegistryToken {
  const token = memberOf(text, 'token') ?? memberOf(text, 'access_token');
  const seconds = memberOf(text, 'expires_in');
  if (typeof token !== 'string' || token === '')
    throw new CliError('refused', `The response of ${url.origin}${url.pathname} does not contain a token.`, {
      hints: ['Check that this is the address of Almanac: --url, ALM_URL'],
    });
  return { token, seconds: typeof seconds === 'number' ? seconds : defaultSeconds, text };
}

const invalidLogin = (url: URL, username: string): CliError =>
  new CliError(
    'signIn',
    `Invalid user name or password: ${url.origin} rejected the sign-in of ${username}.`,
    {
      hints: ['To use other credentials: --username and --password, or ALM_USERNAME and ALM_PASSWORD'],
    },
  );

/** Requests registry tokens from Almanac, or from the token service that the registry names when Almanac has none. */
export class TokenService {
  readonly #context: Context;
  readonly #user: RegistryUser;
  readonly #server: ServerRegistry | null;

  /** `server`: what Almanac says about its registry; null if it issues no tokens. */
  constructor(context: Context, user: RegistryUser, server: ServerRegistry | null) {
    this.#context = context;
    this.#user = user;
    this.#server = server;
  }

  /** `challenge` is the response of the registry; without it, a request to the registry fetches one when needed. */
  async token(scope: string, challenge?: Challenge | null): Promise<RegistryToken> {
    const { settings, version } = this.#context;
    const url = below(settings.api_url, `/${version}/docker/token`);
    const response =
      (await this.#requestWithLogin(url, scope, challenge?.service)) ??
      (await this.#request(url, scope, challenge?.service));
    if (isSuccessful(response) || response.status === 401) return this.#accepted(response, url);
    if (response.status !== 404) throw new ApiError(response);
    const named = challenge ?? (await this.#challenge());
    const realm = trustedRealm(named.realm, settings);
    return this.#accepted(await this.#request(realm, scope, named.service), realm);
  }

  /** With the token of the login, so that no password is needed. Null: there is none, or another user is named. */
  async #requestWithLogin(
    address: URL,
    scope: string,
    serviceName: string | undefined,
  ): Promise<RegistryResponse | null> {
    const { args, tokens } = this.#context;
    if (this.#server === null || args.has('username') || args.has('password')) return null;
    const token = await loginToken(this.#context);
    if (token === null) return null;
    const url = this.#urlFor(address, scope, serviceName);
    const ask = (bearer: string) =>
      exchange(this.#context, { method: 'GET', url, headers: { authorization: `Bearer ${bearer}` } });
    const first = await ask(token);
    const renewed = first.status === 401 ? await tokens.renew(token) : null;
    const last = renewed === null ? first : await ask(renewed);
    if (last.status === 401) throw new ApiError(last);
    return last;
  }

  async #request(address: URL, scope: string, serviceName: string | undefined): Promise<RegistryResponse> {
    const url = this.#urlFor(address, scope, serviceName);
    const { username, password } = await this.#user.login(url);
    const basic = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
    return exchange(this.#context, { method: 'GET', url, headers: { authorization: `Basic ${basic}` } });
  }

  #urlFor(address: URL, scope: string, serviceName: string | undefined): URL {
    const { args } = this.#context;
    const url = new URL(address);
    const named = serviceName ?? this.#server?.service ?? args.text('service');
    url.searchParams.set('service', (args.has('service') ? args.text('service') : named) ?? '');
    for (const each of scope.split(/\s+/).filter(Boolean)) url.searchParams.append('scope', each);
    return url;
  }

  async #accepted(response: RegistryResponse, url: URL): Promise<RegistryToken> {
    if (response.status === 401) throw invalidLogin(url, await this.#user.username());
    if (isSuccessful(response)) return parseToken(response, url);
    const { status, statusLine, text } = response;
    throw new CliError(exitReasonOf(status), `[${statusLine}] ${url.origin} returned no token.`, {
      lines: text.trim() === '' ? [] : [text.trim().slice(0, 500)],
    });
  }

  /** The response of the registry to a request without a token. */
  async #challenge(): Promise<Challenge> {
    const { settings } = this.#context;
    const url = below(settings.registry_url, '/v2/');
    const response = await exchangeWithRegistry(this.#context, { method: 'GET', url });
    const challenge = challengeOf(response.headers);
    if (challenge) return challenge;
    const reason = isSuccessful(response)
      ? 'the registry does not require one'
      : 'the registry does not name a token service';
    throw new CliError(
      'notFound',
      `Almanac at ${settings.api_url} does not issue registry tokens, and ${reason}.`,
      {
        lines: isSuccessful(response) ? [] : [`${url.href} returned ${response.statusLine}`],
        hints: ['Check the registry address: --rurl, ALM_REGISTRY_URL'],
      },
    );
  }
}
