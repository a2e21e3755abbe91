import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../agent/world/fake-engine.ts';
import { eventually } from '../../http.ts';
import { TokenIssuer } from './issuer.ts';

const digestOf = (content: string | Buffer): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

export const types = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
};

/** Docker's registry as a separate process that trusts the tokens of an issuer. */
export class RealRegistry {
  static readonly service = 'registry-of-the-tests';
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #issuer: TokenIssuer;
  #log = '';

  private constructor(port: number, file: string, issuer: TokenIssuer) {
    this.url = `http://127.0.0.1:${port}`;
    this.#issuer = issuer;
    this.#process = spawn('docker-registry', ['serve', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process.on('error', (error) => (this.#log += error.message));
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#log += chunk.toString()));
  }

  /** Serves the content of the directory, which several registries can share. */
  static async start(directory: string, issuer: TokenIssuer, canDelete = true): Promise<RealRegistry> {
    const port = await freePort();
    mkdirSync(directory, { recursive: true });
    const file = join(directory, `config-${port}.yml`);
    const token = {
      realm: issuer.url + TokenIssuer.path,
      service: RealRegistry.service,
      issuer: issuer.name,
      rootcertbundle: issuer.certificate,
    };
    // JSON is YAML.
    const settings = {
      version: 0.1,
      storage: { filesystem: { rootdirectory: directory }, delete: { enabled: canDelete } },
      http: { addr: `127.0.0.1:${port}`, secret: 'unused' },
      auth: { token },
      // Small pages, so that there are several.
      catalog: { maxentries: 2 },
    };
    writeFileSync(file, JSON.stringify(settings));
    const registry = new RealRegistry(port, file, issuer);
    await eventually(
      () =>
        fetch(`${registry.url}/v2/`).then(
          ({ status }) => String(status),
          () => registry.#log,
        ),
      (found) => found === '401',
    );
    return registry;
  }

  /** Sends a request with a token for the owner of the image. */
  call(method: string, name: string, path: string, body?: string, type?: string): Promise<Response> {
    const [user = ''] = name.split('/');
    const token = this.#issuer.token(user, RealRegistry.service, [`repository:${name}:*`]);
    return fetch(new URL(path.startsWith('http') ? path : `${this.url}/v2/${name}${path}`), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: `${types.manifest}, ${types.index}`,
        'content-type': type ?? 'application/octet-stream',
      },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
  }

  /** Pushes an image with one layer of this content; returns the manifest. */
  async push(name: string, tag: string, content: string): Promise<string> {
    const config = JSON.stringify({ architecture: 'amd64', os: 'linux', comment: content });
    const manifest = JSON.stringify({
      schemaVersion: 2,
      mediaType: types.manifest,
      config: { mediaType: types.config, ...(await this.#pushBlob(name, config)) },
      layers: [{ mediaType: types.layer, ...(await this.#pushBlob(name, content)) }],
    });
    return this.pushManifest(name, tag, manifest, types.manifest);
  }

  async pushManifest(name: string, tag: string, manifest: string, type: string): Promise<string> {
    const reply = await this.call('PUT', name, `/manifests/${tag}`, manifest, type);
    if (reply.status !== 201) throw new Error(`${name}:${tag} was rejected: ${await reply.text()}`);
    return manifest;
  }

  async #pushBlob(name: string, content: string): Promise<{ digest: string; size: number }> {
    const digest = digestOf(content);
    const upload = await this.call('POST', name, '/blobs/uploads/');
    const location = new URL(upload.headers.get('location') ?? '', this.url);
    location.searchParams.set('digest', digest);
    const reply = await this.call('PUT', name, location.href, content);
    if (reply.status !== 201) throw new Error(`A blob of ${name} was rejected: ${await reply.text()}`);
    return { digest, size: Buffer.byteLength(content) };
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'close');
    this.#process.kill('SIGTERM');
    await ended;
  }
}
