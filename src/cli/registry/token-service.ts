import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { exitReasonOf } from '../exit-codes.ts';
import { ApiError } from '../net/api-error.ts';
import { type Challenge, challengeOf } from './challenge.ts';
import { type Answer, below, exchange, exchangeWithRegistry, isGood } from './exchange.ts';
import { trustedRealm } from './realm.ts';
import type { Visitor } from './visitor.ts';

interface RegistryToken {
  token: string;
  seconds: number;
  /** The answer as it came. */
  text: string;
}

/** What counts where the answer does not say it, by the scheme all registries follow. */
const usualSeconds = 60;

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

function readToken({ text }: Answer, url: URL): RegistryToken {
  const token = memberOf(text, 'token') ?? memberOf(text, 'access_token');
  const seconds = memberOf(text, 'expires_in');
  if (typeof token !== 'string' || token === '')
    throw new CliError('refused', `${url.origin}${url.pathname} answered, but gave no token.`, {
      hints: ['Is the address that of Almanac? --url, ALM_URL'],
    });
  return { token, seconds: typeof seconds === 'number' ? seconds : usualSeconds, text };
}

const wrongLogin = (url: URL, username: string): CliError =>
  new CliError(
    'signIn',
    `The user name or the password is wrong: ${url.origin} did not let ${username} in.`,
    {
      hints: ['Others: --username and --password, or ALM_USERNAME and ALM_PASSWORD'],
    },
  );

/** Gives tokens for the registry: Almanac's, or where it has none, whom the registry itself names. */
export class TokenService {
  readonly #context: Context;
  readonly #visitor: Visitor;

  constructor(context: Context, visitor: Visitor) {
    this.#context = context;
    this.#visitor = visitor;
  }

  /** `challenge` is what the registry said; when it has not been asked yet, it is as soon as that matters. */
  async token(scope: string, challenge?: Challenge | null): Promise<RegistryToken> {
    const { settings, version } = this.#context;
    const url = below(settings.api_url, `/${version}/docker/token`);
    const answer = await this.#ask(url, scope, challenge?.service);
    if (isGood(answer) || answer.status === 401) return this.#accepted(answer, url);
    if (answer.status !== 404) throw new ApiError(answer);
    const named = challenge ?? (await this.#challenge());
    const realm = trustedRealm(named.realm, settings);
    return this.#accepted(await this.#ask(realm, scope, named.service), realm);
  }

  async #ask(address: URL, scope: string, named: string | undefined): Promise<Answer> {
    const { args } = this.#context;
    const url = new URL(address);
    const service = args.has('service') ? args.text('service') : (named ?? args.text('service'));
    url.searchParams.set('service', service ?? '');
    for (const each of scope.split(/\s+/).filter(Boolean)) url.searchParams.append('scope', each);
    const { username, password } = await this.#visitor.login(url);
    const basic = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
    return exchange(this.#context, 'GET', url, { authorization: `Basic ${basic}` });
  }

  async #accepted(answer: Answer, url: URL): Promise<RegistryToken> {
    if (answer.status === 401) throw wrongLogin(url, await this.#visitor.username());
    if (isGood(answer)) return readToken(answer, url);
    const { status, statusLine, text } = answer;
    throw new CliError(exitReasonOf(status), `[${statusLine}] ${url.origin} gave no token.`, {
      lines: text.trim() === '' ? [] : [text.trim().slice(0, 500)],
    });
  }

  /** What the registry says to those who come without a token. */
  async #challenge(): Promise<Challenge> {
    const { settings } = this.#context;
    const url = below(settings.registry_url, '/v2/');
    const answer = await exchangeWithRegistry(this.#context, 'GET', url);
    const challenge = challengeOf(answer.headers);
    if (challenge) return challenge;
    const asks = isGood(answer) ? 'and the registry asks for none' : 'and the registry does not say who does';
    throw new CliError(
      'notFound',
      `Almanac at ${settings.api_url} gives no tokens for registries, ${asks}.`,
      {
        lines: isGood(answer) ? [] : [`${url.href} answered ${answer.statusLine}`],
        hints: ['Is the address of the registry right? --rurl, ALM_REGISTRY_URL'],
      },
    );
  }
}
