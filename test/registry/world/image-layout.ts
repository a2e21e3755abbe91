import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { packEntries, type TarEntry } from '../../../src/docker-engine/tar.ts';

export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerList: 'application/vnd.docker.distribution.manifest.list.v2+json',
  statement: 'application/vnd.in-toto+json',
};

export const digestOf = (content: Buffer | string): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

export interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  platform?: { architecture: string; os: string };
  annotations?: Record<string, string>;
}

interface ImageOptions {
  /** Default: this machine's. */
  architecture?: string;
  /** A file of the image. Images with different content have different digests. */
  content: string;
  /** What a container of the image runs: a program of this machine, whose /usr is bound. */
  entrypoint?: readonly string[];
}

const thisArchitecture = arch() === 'x64' ? 'amd64' : arch();

const filesOf = (content: string): TarEntry[] => [
  ...['bin', 'sbin', 'lib', 'lib64'].map((path): TarEntry => {
    return { kind: 'symlink', path, target: `usr/${path}`, mode: 0o777, modifiedAt: 0 };
  }),
  { kind: 'directory', path: 'usr', mode: 0o755, modifiedAt: 0 },
  { kind: 'file', path: 'content', content: Buffer.from(content), mode: 0o644, modifiedAt: 0 },
];

/** Images on disk in the OCI layout, from which skopeo copies. They are made without an engine or a network. */
export class ImageLayout {
  readonly directory = mkdtempSync(join(tmpdir(), 'almanac-images-'));
  readonly #tagged: Descriptor[] = [];

  constructor() {
    mkdirSync(join(this.directory, 'blobs', 'sha256'), { recursive: true });
    writeFileSync(join(this.directory, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  }

  /** An image for one platform. */
  async image({ architecture = thisArchitecture, content, entrypoint }: ImageOptions): Promise<Descriptor> {
    const layer = this.#store(await buffer(packEntries(filesOf(content))), mediaTypes.layer);
    const platform = { architecture, os: 'linux' };
    const config = this.#storeJson(mediaTypes.config, {
      ...platform,
      config: { Entrypoint: entrypoint, Labels: { 'almanac.host-usr': 'true' } },
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    });
    return { ...this.#manifest(config, [layer]), platform };
  }

  /** What BuildKit adds for each image of an index: a manifest of statements, with an unknown platform. */
  attestation(of: Descriptor): Descriptor {
    const config = this.#storeJson(mediaTypes.config, {
      architecture: 'unknown',
      os: 'unknown',
      rootfs: { type: 'layers', diff_ids: [] },
    });
    const statement = this.#storeJson(mediaTypes.statement, { subject: [{ digest: of.digest }] });
    return {
      ...this.#manifest(config, [statement]),
      platform: { architecture: 'unknown', os: 'unknown' },
      annotations: {
        'vnd.docker.reference.type': 'attestation-manifest',
        'vnd.docker.reference.digest': of.digest,
      },
    };
  }

  index(manifests: readonly Descriptor[]): Descriptor {
    return this.#storeJson(mediaTypes.index, { schemaVersion: 2, mediaType: mediaTypes.index, manifests });
  }

  /** Names the image. Returns its address for skopeo. */
  tag(name: string, { mediaType, digest, size }: Descriptor): string {
    const annotations = { 'org.opencontainers.image.ref.name': name };
    this.#tagged.push({ mediaType, digest, size, annotations });
    const index = { schemaVersion: 2, manifests: this.#tagged };
    writeFileSync(join(this.directory, 'index.json'), JSON.stringify(index));
    return `oci:${this.directory}:${name}`;
  }

  /** A named image for this machine. */
  async simple(content: string): Promise<string> {
    return this.tag(content, await this.image({ content }));
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #manifest(config: Descriptor, layers: readonly Descriptor[]): Descriptor {
    const { mediaType } = { mediaType: mediaTypes.manifest };
    return this.#storeJson(mediaType, { schemaVersion: 2, mediaType, config, layers });
  }

  #storeJson(mediaType: string, value: object): Descriptor {
    return this.#store(Buffer.from(JSON.stringify(value)), mediaType);
  }

  #store(content: Buffer, mediaType: string): Descriptor {
    const digest = digestOf(content);
    writeFileSync(join(this.directory, 'blobs', ...digest.split(':')), content);
    return { mediaType, digest, size: content.length };
  }
}
