import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manifestTypes } from '../../../src/registry/manifest.ts';

/**
 * How the stand-in behaves: `slow` never answers, `garbage` answers with a page of a web server, `elsewhere` with the page of one
 * that does not know the address, `starting` as a proxy does while the registry starts.
 */
export type Mood =
  | 'well'
  | 'slow'
  | 'garbage'
  | 'elsewhere'
  | 'starting'
  | 'broken'
  | 'rejects tokens'
  | 'deletes nothing';

/** With this body, as registries do: a 404 without it may come from any web server. */
const unknownError = (code: string): string => JSON.stringify({ errors: [{ code, message: 'unknown' }] });

interface Repository {
  manifests: Map<string, { type: string; text: string }>;
  tags: Map<string, string>;
  blobs: Map<string, string>;
}

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const imageType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';

const readText = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

/**
 * In place of a registry where none is installed: the calls that Almanac makes, in memory, with the behaviour of Debian's
 * docker-registry. `npm run test:registry` makes the same calls of the real one.
 */
export class StandInRegistry {
  mood: Mood = 'well';
  readonly repositories = new Map<string, Repository>();
  /** Method and path of all requests. */
  readonly requests: string[] = [];
  /** Called before each answer, to change the content at that moment. */
  before: (request: string) => void = () => {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<StandInRegistry> {
    const registry = new StandInRegistry();
    await new Promise<void>((resolve) => void registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  tagsOf = (name: string): string[] => [...this.#repository(name).tags.keys()].toSorted();
  digests = (name: string): string[] => [...this.#repository(name).manifests.keys()];

  /** Pushes an image with one layer of this text. Returns its digest. */
  push(name: string, tag: string | null, { layer = tag ?? '', platform = 'linux/amd64' } = {}): string {
    const [os, architecture, variant] = platform.split('/');
    const config = this.#blob(name, JSON.stringify({ os, architecture, variant }));
    const layers = [this.#blob(name, layer)];
    return this.put(name, tag, { mediaType: imageType, config, layers });
  }

  /** Pushes an index of these images, with an attestation as builders add it. Returns its digest. */
  pushIndex(name: string, tag: string, platforms: readonly string[]): string {
    const manifests = platforms.map((platform) => {
      const [os, architecture] = platform.split('/');
      const digest = this.push(name, null, { layer: `${tag} ${platform}`, platform });
      return { mediaType: imageType, digest, size: 100, platform: { os, architecture } };
    });
    const attestation = this.push(name, null, { layer: `attestation of ${tag}` });
    const unknown = { os: 'unknown', architecture: 'unknown' };
    return this.put(name, tag, {
      mediaType: indexType,
      manifests: [...manifests, { mediaType: imageType, digest: attestation, size: 100, platform: unknown }],
    });
  }

  put(name: string, tag: string | null, manifest: { mediaType: string; [member: string]: unknown }): string {
    return this.#putText(name, tag, {
      type: manifest.mediaType,
      text: JSON.stringify({ schemaVersion: 2, ...manifest }),
    });
  }

  #putText(name: string, tag: string | null, manifest: { type: string; text: string }): string {
    const digest = digestOf(manifest.text);
    const { manifests, tags } = this.#repository(name);
    manifests.set(digest, manifest);
    if (tag !== null) tags.set(tag, digest);
    return digest;
  }

  #blob(name: string, text: string): { mediaType: string; digest: string; size: number } {
    const digest = digestOf(text);
    this.#repository(name).blobs.set(digest, text);
    return { mediaType: 'application/octet-stream', digest, size: text.length };
  }

  #repository(name: string): Repository {
    const found = this.repositories.get(name) ?? { manifests: new Map(), tags: new Map(), blobs: new Map() };
    this.repositories.set(name, found);
    return found;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    this.requests.push(`${method} ${url}`);
    this.before(`${method} ${url}`);
    const text = await readText(request);
    const send = (status: number, body = '', headers: Record<string, string> = {}): void =>
      void response.writeHead(status, headers).end(body);
    if (this.mood === 'slow') return;
    if (this.mood === 'garbage') return send(200, '<html>Welcome</html>', { 'content-type': 'text/html' });
    if (this.mood === 'elsewhere')
      return send(404, '<html>Not found</html>', { 'content-type': 'text/html' });
    if (this.mood === 'starting') return send(503, '<html>Try later</html>', { 'content-type': 'text/html' });
    if (this.mood === 'broken') return send(500, '{"errors":[{"code":"UNKNOWN"}]}');
    if (this.mood === 'rejects tokens' || !/^Bearer \S+$/.test(request.headers.authorization ?? ''))
      return send(401, '', { 'www-authenticate': 'Bearer realm="x",error="invalid_token"' });
    this.#route({ method, url: new URL(url, this.url), request, text, send });
  }

  #route({ method, url, request, text, send }: Routed): void {
    if (url.pathname === '/v2/_catalog') return this.#catalog(url, send);
    const [, name = '', kind = '', reference = ''] =
      /^\/v2\/(.+)\/(tags|manifests|blobs)\/([^/]+)$/.exec(url.pathname) ?? [];
    const repository = this.repositories.get(name);
    if (kind === 'manifests' && method === 'PUT') {
      const type = request.headers['content-type'] ?? '';
      return send(201, '', { 'docker-content-digest': this.#putText(name, reference, { type, text }) });
    }
    if (!repository) return send(404, unknownError('NAME_UNKNOWN'));
    if (kind === 'tags') return send(200, JSON.stringify({ name, tags: [...repository.tags.keys()] }));
    if (kind === 'blobs') {
      const blob = repository.blobs.get(reference);
      return blob === undefined ? send(404, unknownError('BLOB_UNKNOWN')) : send(200, blob);
    }
    if (method === 'DELETE') {
      const status = this.#delete(repository, reference);
      return send(status, status === 404 ? unknownError('MANIFEST_UNKNOWN') : '');
    }
    const digest = repository.tags.get(reference) ?? reference;
    const manifest = repository.manifests.get(digest);
    if (!manifest || request.headers.accept !== manifestTypes)
      return send(404, unknownError('MANIFEST_UNKNOWN'));
    send(200, manifest.text, { 'content-type': manifest.type, 'docker-content-digest': digest });
  }

  #catalog(url: URL, send: Routed['send']): void {
    const limit = Math.min(Number(url.searchParams.get('n')), 2);
    const last = url.searchParams.get('last') ?? '';
    const names = [...this.repositories.keys()].toSorted().filter((name) => name > last);
    const page = names.slice(0, limit);
    const link = `</v2/_catalog?last=${encodeURIComponent(page.at(-1) ?? '')}&n=${limit}>; rel="next"`;
    send(200, JSON.stringify({ repositories: page }), names.length > limit ? { link } : {});
  }

  /** Deletes content with all its tags, as registries do; a tag is not accepted. */
  #delete(repository: Repository, digest: string): number {
    if (this.mood === 'deletes nothing') return 405;
    if (!digest.startsWith('sha256:')) return 400;
    if (!repository.manifests.delete(digest)) return 404;
    for (const [tag, of] of repository.tags) if (of === digest) repository.tags.delete(tag);
    return 202;
  }
}

interface Routed {
  method: string;
  url: URL;
  request: IncomingMessage;
  text: string;
  send: (status: number, body?: string, headers?: Record<string, string>) => void;
}
