import { inParallel } from '../basics/in-parallel.ts';
import { type Manifest, platformName } from './manifest.ts';
import { concurrentRequests, somePartsBelow } from './read-tags.ts';
import type { Registry } from './registry.ts';
import { totalSize } from './total-size.ts';

/** What a list shows of an image. */
export interface InspectedImage {
  readonly digest: string;
  readonly mediaType: string;
  /** Bytes of all its different parts, compressed as they are stored. */
  readonly size: number;
  /** `linux/amd64`, in the order of the image. */
  readonly platforms: readonly string[];
}

/** Nobody has more platforms; the size of an image with more parts lacks the rest. */
const maxPlatforms = 64;
const maxSizes = 10_000;
const maxMediaType = 255;
/** Any blob may be named as the configuration; those of images have some kilobytes. */
const maxConfigBytes = 1024 * 1024;

interface Place {
  registry: Registry;
  repository: string;
}

/** Adds the bytes of the manifest and its parts. Layers that several platforms share count once. */
function addSizes(sizes: Map<string, number>, { digest, content, config, layers }: Manifest): void {
  const own = { digest, size: content.length };
  for (const part of [own, ...(config ? [config] : []), ...layers]) {
    if (sizes.size >= maxSizes) return;
    sizes.set(part.digest, part.size);
  }
}

/** Keeps none of the manifests: each may have megabytes. */
async function sizeOf({ registry, repository }: Place, manifest: Manifest): Promise<number> {
  const sizes = new Map<string, number>();
  addSizes(sizes, manifest);
  const { digests } = await somePartsBelow(registry, repository, manifest);
  await inParallel(digests.slice(0, maxPlatforms), concurrentRequests, async (digest) => {
    const part = await registry.manifest(repository, digest);
    if (part) addSizes(sizes, part);
  });
  return totalSize(sizes.values());
}

/** The platform of a single image is in its configuration; other artifacts have none. */
async function platformsOf({ registry, repository }: Place, manifest: Manifest): Promise<string[]> {
  const named = manifest.entries.flatMap(({ platform }) => platform ?? []);
  if (manifest.config === null) return [...new Set(named)].slice(0, maxPlatforms);
  if (manifest.config.size > maxConfigBytes) return [];
  const platform = platformName(await registry.json(repository, manifest.config.digest));
  return platform === null ? [] : [platform];
}

const shownType = ({ mediaType }: Manifest): string =>
  mediaType.replaceAll(/[^\x20-\x7E]+/g, ' ').slice(0, maxMediaType);

/** Null if the tag or digest does not exist. */
export async function inspectImage(
  registry: Registry,
  repository: string,
  reference: string,
): Promise<InspectedImage | null> {
  const manifest = await registry.manifest(repository, reference);
  if (!manifest) return null;
  const place = { registry, repository };
  const [size, platforms] = await Promise.all([sizeOf(place, manifest), platformsOf(place, manifest)]);
  return { digest: manifest.digest, mediaType: shownType(manifest), size, platforms };
}
