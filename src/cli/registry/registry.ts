import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { challengeOf } from './challenge.ts';
import { type Answer, below, exchangeWithRegistry, isGood } from './exchange.ts';
import { refusalOf } from './refusal.ts';
import type { TokenService } from './token-service.ts';

/** All forms a manifest can have. Whoever names none gets an old one, which has another digest. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** The query of the next page, from `Link: </v2/_catalog?last=shop&n=100>; rel="next"`. */
const nextOf = ({ headers }: Answer): string | null => {
  const link = [headers.link ?? []].flat().join(', ');
  const address = /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link)?.[1];
  return address === undefined ? null : new URL(address, 'http://images.test').search;
};

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** What is asked, and of which image. */
export interface Asked {
  name?: string;
  shown?: string;
}

/** A registry of images, which is asked without a token first: it says itself whether it wants one. */
export class Registry {
  readonly #context: Context;
  readonly #tokens: TokenService;
  readonly #scope: string;
  #token: string | null = null;

  constructor(context: Context, tokens: TokenService, scope: string) {
    this.#context = context;
    this.#tokens = tokens;
    this.#scope = scope;
  }

  /** The strings that are called `member` on all pages. */
  async list(path: string, member: string, asked: Asked = {}): Promise<string[]> {
    const found: string[] = [];
    const seen = new Set<string>();
    for (let query: string | null = ''; query !== null; ) {
      if (seen.has(query)) throw new CliError('refused', `The registry's pages of ${path} lead in a circle.`);
      seen.add(query);
      const answer = await this.#accepted('GET', path + query, asked);
      found.push(...strings(this.#read(answer, path)[member]));
      query = nextOf(answer);
    }
    return found;
  }

  manifest(name: string, reference: string, shown: string): Promise<Answer> {
    return this.#accepted('GET', `/v2/${name}/manifests/${reference}`, { name, shown });
  }

  /** Of what the reference stands for at present. */
  async digest(name: string, reference: string, shown: string): Promise<string> {
    const answer = await this.#accepted('HEAD', `/v2/${name}/manifests/${reference}`, { name, shown });
    const digest = answer.headers['docker-content-digest'];
    if (typeof digest === 'string') return digest;
    throw new CliError('refused', `The registry does not tell the digest of ${shown}.`);
  }

  async delete(name: string, digest: string, shown: string): Promise<void> {
    await this.#accepted('DELETE', `/v2/${name}/manifests/${digest}`, { name, shown });
  }

  async #accepted(method: string, path: string, asked: Asked): Promise<Answer> {
    const answer = await this.#ask(method, path);
    if (isGood(answer)) return answer;
    const registry = new URL(this.#context.settings.registry_url);
    throw refusalOf(answer, { registry, scope: this.#scope, ...asked });
  }

  /** Tokens are short-lived, and long lists take long: one that is not taken any more is replaced once. */
  async #ask(method: string, path: string): Promise<Answer> {
    const first = await this.#once(method, path);
    const challenge = challengeOf(first.headers);
    if (first.status !== 401 || challenge?.error === 'insufficient_scope') return first;
    this.#token = (await this.#tokens.token(this.#scope, challenge)).token;
    return this.#once(method, path);
  }

  #once(method: string, path: string): Promise<Answer> {
    const url = below(this.#context.settings.registry_url, path);
    const accept = path.includes('/manifests/') ? manifestTypes : 'application/json';
    const authorization = this.#token === null ? {} : { authorization: `Bearer ${this.#token}` };
    return exchangeWithRegistry(this.#context, method, url, { accept, ...authorization });
  }

  #read({ text }: Answer, path: string): Record<string, unknown> {
    try {
      const body: unknown = JSON.parse(text);
      if (typeof body === 'object' && body !== null) return { ...body };
    } catch {
      // Said below.
    }
    throw new CliError(
      'refused',
      `${below(this.#context.settings.registry_url, path).href} is not of a registry.`,
      {
        hints: ['Is the address of the registry right? --rurl, ALM_REGISTRY_URL'],
      },
    );
  }
}
