import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const digestOf = (content: string): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

const manifestType = 'application/vnd.oci.image.manifest.v1+json';

/** Base of the HTTP servers of the tests. */
export abstract class FakeServer {
  readonly #server: Server = createServer((request, reply) => this.answer(request, reply));

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  protected abstract answer(request: IncomingMessage, reply: ServerResponse): void;
}

/** Fake token service: users have lists of scopes, in which a final `*` matches any suffix. */
export class FakeTokens extends FakeServer {
  path = '/v3/docker/token';
  service = 'almanac-registry';
  readonly users = new Map<string, { password: string; scopes: readonly string[] }>();
  readonly #given = new Map<string, { scopes: readonly string[]; usesLeft: number }>();
  /** Number of uses before a token counts as expired. */
  uses = Number.POSITIVE_INFINITY;
  /** All passwords received, valid or not. */
  readonly passwordsSeen = new Set<string>();

  /** Returns `good`, `unknown` or `insufficient`. */
  use(token: string, scope: string): string {
    const found = this.#given.get(token);
    if (!found || found.usesLeft === 0) return 'unknown';
    found.usesLeft -= 1;
    return found.scopes.includes(scope) ? 'good' : 'insufficient';
  }

  protected answer(request: IncomingMessage, reply: ServerResponse): void {
    const url = new URL(request.url ?? '', this.url);
    if (url.pathname !== this.path) return void reply.writeHead(404).end('{"message":"no such route"}');
    const basic = Buffer.from(
      (request.headers.authorization ?? '').replace('Basic ', ''),
      'base64',
    ).toString();
    const [name = '', password = ''] = basic.split(':');
    this.passwordsSeen.add(password);
    const user = this.users.get(name);
    if (user?.password !== password) return void reply.writeHead(401).end('{"details":"bad credentials"}');
    const isForService = url.searchParams.get('service') === this.service;
    const requested = isForService ? url.searchParams.getAll('scope') : [];
    const scopes = requested.filter((scope) => user.scopes.some((granted) => covers(granted, scope)));
    const token = `token-${this.#given.size + 1}`;
    this.#given.set(token, { scopes: scopes.flatMap(actionsOf), usesLeft: this.uses });
    const issued_at = '2030-01-01T00:00:00Z';
    reply.end(JSON.stringify({ token, access_token: token, expires_in: 300, issued_at }));
  }
}

const covers = (granted: string, scope: string): boolean =>
  granted === scope || (granted.endsWith('*') && scope.startsWith(granted.slice(0, -1)));

const actionsOf = (scope: string): string[] =>
  scope.startsWith('repository:') && scope.endsWith(':*')
    ? ['pull', 'push', 'delete'].map((action) => scope.replace(/\*$/, action))
    : [scope];

/** Fake registry; requires tokens when it has a token service. */
export class FakeRegistry extends FakeServer {
  tokens: FakeTokens | null;
  /** The token address it names. */
  realm = '';
  pageSize = 2;
  canDelete = true;
  readonly #images = new Map<string, Map<string, string>>();
  readonly #content = new Map<string, string>();

  constructor(tokens: FakeTokens | null) {
    super();
    this.tokens = tokens;
  }

  put(name: string, tag: string, content: string): string {
    const digest = digestOf(content);
    this.#content.set(digest, content);
    this.#images.set(name, (this.#images.get(name) ?? new Map<string, string>()).set(tag, digest));
    return digest;
  }

  tagsOf(name: string): string[] {
    return [...(this.#images.get(name)?.keys() ?? [])];
  }

  protected answer(request: IncomingMessage, reply: ServerResponse): void {
    const url = new URL(request.url ?? '', this.url);
    const { method = '' } = request;
    const [, name = '', kind, reference = ''] =
      /^\/v2\/(?:(.+)\/(manifests|tags)\/(.+))?/.exec(url.pathname) ?? [];
    const action = method === 'DELETE' ? 'delete' : 'pull';
    const scope = kind ? `repository:${name}:${action}` : 'registry:catalog:*';
    if (this.tokens && !this.#isAuthorized(request, reply, scope)) return;
    if (url.pathname === '/v2/') reply.end('{}');
    else if (!kind) this.#page(reply, url, 'repositories', [...this.#images.keys()].toSorted());
    else if (!this.#images.has(name)) refuse(reply, 404, 'NAME_UNKNOWN');
    else if (kind === 'tags') this.#page(reply, url, 'tags', this.tagsOf(name));
    else if (method === 'DELETE') this.#delete(reply, name, reference);
    else this.#manifest(request, reply, name, reference);
  }

  #isAuthorized({ headers }: IncomingMessage, reply: ServerResponse, scope: string): boolean {
    const bearer = /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1];
    const result = bearer === undefined ? 'none' : this.tokens?.use(bearer, scope);
    if (result === 'good') return true;
    const error = { unknown: ',error="invalid_token"', insufficient: ',error="insufficient_scope"' }[
      result ?? ''
    ];
    const challenge = `Bearer realm="${this.realm}",service="${this.tokens?.service}",scope="${scope}"`;
    reply.setHeader('www-authenticate', challenge + (error ?? ''));
    refuse(reply, 401, 'UNAUTHORIZED');
    return false;
  }

  #page(reply: ServerResponse, url: URL, member: string, all: readonly string[]): void {
    const start = all.indexOf(url.searchParams.get('last') ?? '') + 1;
    const page = all.slice(start, start + this.pageSize);
    if (start + this.pageSize < all.length)
      reply.setHeader('link', `<${url.pathname}?last=${page.at(-1)}&n=${this.pageSize}>; rel="next"`);
    // A real registry returns null instead of an empty list when there are no tags.
    reply.end(JSON.stringify({ name: 'x', [member]: all.length === 0 ? null : page }));
  }

  #manifest(
    { headers, method }: IncomingMessage,
    reply: ServerResponse,
    name: string,
    reference: string,
  ): void {
    const digest = this.#images.get(name)?.get(reference) ?? reference;
    const content = this.#content.get(digest);
    if (content === undefined) return refuse(reply, 404, 'MANIFEST_UNKNOWN');
    // Without the new types in the header, a real registry returns an old format.
    if (!headers.accept?.includes(manifestType)) return void reply.end('{"schemaVersion":1}');
    reply.writeHead(200, { 'docker-content-digest': digest, 'content-type': manifestType });
    reply.end(method === 'HEAD' ? undefined : content);
  }

  #delete(reply: ServerResponse, name: string, digest: string): void {
    if (!this.canDelete) return refuse(reply, 405, 'UNSUPPORTED');
    if (!this.#content.has(digest)) return refuse(reply, 404, 'MANIFEST_UNKNOWN');
    const tags = this.#images.get(name);
    for (const [tag, tagDigest] of tags ?? []) if (tagDigest === digest) tags?.delete(tag);
    this.#content.delete(digest);
    reply.writeHead(202).end();
  }
}

const refuse = (reply: ServerResponse, status: number, code: string): void => {
  const message = code.toLowerCase().replace('_', ' ');
  reply.writeHead(status).end(JSON.stringify({ errors: [{ code, message, detail: { from: 'the fake' } }] }));
};
