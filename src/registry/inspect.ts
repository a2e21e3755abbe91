import { inParallel } from '../basics/in-parallel.ts';
import { type Manifest, platformName } from './manifest.ts';
import { concurrentRequests, partsBelow } from './read-tags.ts';
import type { Registry } from './registry.ts';

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
const maxParts = 64;

interface Place {
  registry: Registry;
  repository: string;
}

/** The manifest and all below it. */
async function withParts({ registry, repository }: Place, manifest: Manifest): Promise<Manifest[]> {
  const parts = await partsBelow(registry, repository, manifest);
  const read = await inParallel(parts.slice(0, maxParts), concurrentRequests, (digest) =>
    registry.manifest(repository, digest),
  );
  return [manifest, ...read.filter((each) => each !== null)];
}

/** Layers that several platforms share count once. */
const sizeOf = (manifests: readonly Manifest[]): number => {
  const sizes = new Map<string, number>();
  for (const { digest, content, config, layers } of manifests) {
    sizes.set(digest, content.length);
    for (const part of config ? [config, ...layers] : layers) sizes.set(part.digest, part.size);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
};

/** The platform of a single image is in its configuration; other artifacts have none. */
async function platformsOf({ registry, repository }: Place, manifest: Manifest): Promise<string[]> {
  const named = manifest.entries.flatMap(({ platform }) => platform ?? []);
  if (manifest.config === null) return [...new Set(named)];
  const platform = platformName(await registry.json(repository, manifest.config.digest));
  return platform === null ? [] : [platform];
}

/** Null if the tag or digest does not exist. */
export async function inspectImage(
  registry: Registry,
  repository: string,
  reference: string,
): Promise<InspectedImage | null> {
  const manifest = await registry.manifest(repository, reference);
  if (!manifest) return null;
  const place = { registry, repository };
  const [manifests, platforms] = await Promise.all([
    withParts(place, manifest),
    platformsOf(place, manifest),
  ]);
  return { digest: manifest.digest, mediaType: manifest.mediaType, size: sizeOf(manifests), platforms };
}
