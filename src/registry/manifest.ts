import { createHash } from 'node:crypto';
import { isObject } from '../basics/is-object.ts';

const indexTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];

/** Without all of these, a registry converts the manifest to an old format, which has another digest. */
export const manifestTypes = [
  ...indexTypes,
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** A part that a manifest names: another manifest, a layer, or the configuration. */
interface Part {
  readonly digest: string;
  readonly size: number;
}

interface IndexEntry extends Part {
  /** `linux/arm64`; null: the entry is not an image for a platform, such as an attestation. */
  readonly platform: string | null;
  readonly isIndex: boolean;
}

export interface Manifest {
  readonly digest: string;
  readonly mediaType: string;
  /** The manifest itself, as it is stored. */
  readonly content: Buffer<ArrayBuffer>;
  /** In place of a tag that is being deleted. */
  readonly isPlaceholder: boolean;
  /** Of an index: one image for each platform, and what was attached to them. */
  readonly entries: readonly IndexEntry[];
  /** Of an image. */
  readonly config: Part | null;
  readonly layers: readonly Part[];
}

const digestPattern = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-zA-Z=_-]{32,}$/;

const isPart = (value: unknown): value is Part & Record<string, unknown> =>
  isObject(value) &&
  typeof value['digest'] === 'string' &&
  digestPattern.test(value['digest']) &&
  typeof value['size'] === 'number' &&
  Number.isSafeInteger(value['size']) &&
  value['size'] >= 0;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const partsOf = (value: unknown): Part[] =>
  listOf(value)
    .filter(isPart)
    .map(({ digest, size }) => ({ digest, size }));

/** These names are text of the user who pushed the image. A registry does not check them. */
const platformPart = /^[a-z0-9][a-z0-9._-]{0,31}$/i;

const isPlatformPart = (value: unknown): boolean =>
  typeof value === 'string' && platformPart.test(value) && value !== 'unknown';

/** `linux/arm/v7`; null if there is none, it has no usable names, or it is `unknown/unknown`, as attestations have it. */
export function platformName(value: unknown): string | null {
  if (!isObject(value)) return null;
  const { os, architecture, variant } = value;
  const parts = [os, architecture, ...(variant === undefined || variant === '' ? [] : [variant])];
  return parts.every(isPlatformPart) ? parts.join('/') : null;
}

const isIndexType = (mediaType: unknown): boolean =>
  typeof mediaType === 'string' && indexTypes.includes(mediaType);

const entriesOf = (value: unknown): IndexEntry[] =>
  listOf(value)
    .filter(isPart)
    .map(({ digest, size, platform, mediaType }) => ({
      digest,
      size,
      platform: platformName(platform),
      isIndex: isIndexType(mediaType),
    }));

const typeOf = (content: Readonly<Record<string, unknown>>, header: string): string => {
  const own = content['mediaType'];
  return typeof own === 'string' && own !== '' ? own : header.replace(/;.*$/s, '').trim();
};

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
};

interface ManifestHeaders {
  contentType: string;
  digest: string | null;
}

/** Null: the content is not the one with this digest. Another algorithm, and the old signed format, cannot be checked here. */
function checkedDigest(bytes: Buffer, named: string | null, isSigned: boolean): string | null {
  const computed = digestOf(bytes);
  if (named === null) return isSigned ? null : computed;
  if (!digestPattern.test(named)) return null;
  return isSigned || !named.startsWith('sha256:') || named === computed ? named : null;
}

/** Null: it is not a manifest, or not the one with this digest. */
export function parseManifest(bytes: Buffer<ArrayBuffer>, headers: ManifestHeaders): Manifest | null {
  const parsed = parse(bytes);
  if (!isObject(parsed) || typeof parsed['schemaVersion'] !== 'number') return null;
  const digest = checkedDigest(bytes, headers.digest, parsed['schemaVersion'] === 1);
  if (digest === null) return null;
  const mediaType = typeOf(parsed, headers.contentType);
  const isIndex = isIndexType(mediaType);
  const { config } = parsed;
  return {
    digest,
    mediaType,
    content: bytes,
    isPlaceholder: isObject(parsed['annotations']) && placeholderName in parsed['annotations'],
    entries: isIndex ? entriesOf(parsed['manifests']) : [],
    config: !isIndex && isPart(config) ? { digest: config.digest, size: config.size } : null,
    layers: isIndex ? [] : partsOf(parsed['layers']),
  };
}

const placeholderName = 'almanac.deleted-tag';

/**
 * An image without content, with a digest that no other tag has. Registries delete content with all its tags: a tag that is to
 * vanish alone first gets content of its own. An index needs no blobs, so that this is a single request.
 */
export function makePlaceholder(unique: string): Pick<Manifest, 'digest' | 'mediaType' | 'content'> {
  const mediaType = 'application/vnd.oci.image.index.v1+json';
  const annotations = { [placeholderName]: unique };
  const content = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, manifests: [], annotations }));
  return { mediaType, content, digest: digestOf(content) };
}
