import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { arch } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { packEntries, type TarEntry } from '../../../src/docker-engine/tar.ts';

const digestOf = (content: Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

const mediaType = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar',
};

/** The programs of the machine are found through links, once its /usr is bound. */
const links = ['bin', 'sbin', 'lib', 'lib64'];

const packLayer = (): Promise<Buffer> =>
  buffer(
    packEntries([
      ...links.map(linkTo),
      { kind: 'file', path: 'usr/.keep', content: Buffer.alloc(0), mode: 0o644, modifiedAt: 0 },
    ]),
  );

const linkTo = (path: string): TarEntry => ({
  kind: 'symlink',
  path,
  target: `usr/${path}`,
  mode: 0o777,
  modifiedAt: 0,
});

interface ImageOptions {
  labels?: Record<string, string>;
  port?: number;
  /** A program that ends with 0 while the container is healthy. */
  healthCheck?: readonly string[];
}

/** In nanoseconds. */
const everySecond = { Interval: 1e9, Timeout: 5e9, Retries: 2 };

/** A simulated registry with a password, from which a real engine pulls. */
export class FakeRegistry {
  /** Its base64 form has padding, which engines require. */
  readonly login = { username: 'robot', password: 'registry-password-5d21' };
  #layer: Buffer = Buffer.alloc(0);
  readonly #blobs = new Map<string, Buffer>();
  readonly #tags = new Map<string, string>();
  readonly #server: Server = createServer((request, reply) => this.#respond(request, reply));

  async start(): Promise<void> {
    this.#layer = await packLayer();
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Tags an image that runs this program of the machine. Returns its reference. */
  put(
    name: string,
    tag: string,
    entrypoint: readonly string[],
    { labels = {}, port, healthCheck }: ImageOptions = {},
  ): string {
    const layer = this.#layer;
    const config = Buffer.from(
      JSON.stringify({
        architecture: arch() === 'x64' ? 'amd64' : arch(),
        os: 'linux',
        config: {
          Entrypoint: entrypoint,
          Labels: { 'almanac.host-usr': 'true', ...labels },
          ...(healthCheck ? { Healthcheck: { Test: ['CMD', ...healthCheck], ...everySecond } } : {}),
          ...(port === undefined ? {} : { ExposedPorts: { [`${port}/tcp`]: {} } }),
        },
        rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
      }),
    );
    const part = (content: Buffer, type: string) => ({
      mediaType: type,
      size: content.length,
      digest: this.#store(content),
    });
    const manifest = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: mediaType.manifest,
        config: part(config, mediaType.config),
        layers: [part(layer, mediaType.layer)],
      }),
    );
    this.#tags.set(`${name}:${tag}`, this.#store(manifest));
    return `${this.host}/${name}:${tag}`;
  }

  digestOf(name: string, tag: string): string | undefined {
    return this.#tags.get(`${name}:${tag}`);
  }

  #store(content: Buffer): string {
    const digest = digestOf(content);
    this.#blobs.set(digest, content);
    return digest;
  }

  #respond(request: IncomingMessage, reply: ServerResponse): void {
    const { username, password } = this.login;
    const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (request.headers.authorization !== expected)
      return void reply.writeHead(401, { 'www-authenticate': 'Basic realm="fake"' }).end();
    const [, name = '', kind = '', id = ''] =
      /^\/v2\/(.+)\/(manifests|blobs)\/(.+)$/.exec(request.url ?? '') ?? [];
    if (kind === '') return void reply.writeHead(200).end('{}');
    const digest = this.#tags.get(`${name}:${id}`) ?? id;
    const content = this.#blobs.get(digest);
    if (!content) return void reply.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
    const headers = {
      'content-type': kind === 'blobs' ? 'application/octet-stream' : mediaType.manifest,
      'content-length': content.length,
      'docker-content-digest': digest,
    };
    reply.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : content);
  }
}
