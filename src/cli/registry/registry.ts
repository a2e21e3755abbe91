import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { challengeOf } from './challenge.ts';
import { below, exchangeWithRegistry, isSuccessful, type RegistryResponse } from './exchange.ts';
import { formatImage } from './image.ts';
import { refusalOf } from './refusal.ts';
import type { TokenService } from './token-service.ts';

/** All manifest types. Without this header a registry returns an old format, which has another digest. */
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** The query of the next page from `Link: </v2/_catalog?last=shop&n=100>; rel="next"`. */
const nextPageOf = ({ headers }: RegistryResponse): string | null => {
  const link = [headers.link ?? []].flat().join(', ');
  const address = /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link)?.[1];
  return address === undefined ? null : new URL(address, 'http://images.test').search;
};

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** The image of a request, for error messages. */
interface Subject {
  name?: string;
  image?: string;
}

/** Client of an image registry. It requests a token only when the registry requires one. */
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

  /** The strings in `member` of all pages. */
  async list(path: string, member: string, subject: Subject = {}): Promise<string[]> {
    const found: string[] = [];
    const seen = new Set<string>();
    for (let query: string | null = ''; query !== null; ) {
      if (seen.has(query))
        throw new CliError('refused', `The registry returned a circular list of pages for ${path}.`);
      seen.add(query);
      const response = await this.#accepted('GET', path + query, subject);
      found.push(...strings(this.#parse(response, path)[member]));
      query = nextPageOf(response);
    }
    return found;
  }

  manifest(name: string, reference: string): Promise<RegistryResponse> {
    return this.#accepted('GET', `/v2/${name}/manifests/${reference}`, {
      name,
      image: formatImage(name, reference),
    });
  }

  /** The digest that the reference currently resolves to. */
  async digest(name: string, reference: string): Promise<string> {
    const image = formatImage(name, reference);
    const response = await this.#accepted('HEAD', `/v2/${name}/manifests/${reference}`, { name, image });
    const digest = response.headers['docker-content-digest'];
    if (typeof digest === 'string') return digest;
    throw new CliError('refused', `The registry did not return the digest of ${image}.`);
  }

  async delete(name: string, digest: string, image: string): Promise<void> {
    await this.#accepted('DELETE', `/v2/${name}/manifests/${digest}`, { name, image });
  }

  async #accepted(method: string, path: string, subject: Subject): Promise<RegistryResponse> {
    const response = await this.#send(method, path);
    if (isSuccessful(response)) return response;
    const registry = new URL(this.#context.settings.registry_url);
    throw refusalOf(response, { registry, scope: this.#scope, ...subject });
  }

  /** Sends a request, and retries once with a new token: tokens may expire during a long list. */
  async #send(method: string, path: string): Promise<RegistryResponse> {
    const first = await this.#sendOnce(method, path);
    const challenge = challengeOf(first.headers);
    if (first.status !== 401 || challenge?.error === 'insufficient_scope') return first;
    this.#token = (await this.#tokens.token(this.#scope, challenge)).token;
    return this.#sendOnce(method, path);
  }

  #sendOnce(method: string, path: string): Promise<RegistryResponse> {
    const url = below(this.#context.settings.registry_url, path);
    const accept = path.includes('/manifests/') ? manifestTypes : 'application/json';
    const authorization = this.#token === null ? {} : { authorization: `Bearer ${this.#token}` };
    return exchangeWithRegistry(this.#context, { method, url, headers: { accept, ...authorization } });
  }

  #parse({ text }: RegistryResponse, path: string): Record<string, unknown> {
    try {
      const body: unknown = JSON.parse(text);
      if (typeof body === 'object' && body !== null) return { ...body };
    } catch {
      // Reported below.
    }
    throw new CliError(
      'refused',
      `${below(this.#context.settings.registry_url, path).href} did not return a registry response.`,
      {
        hints: ['Check the registry address: --rurl, ALM_REGISTRY_URL'],
      },
    );
  }
}
