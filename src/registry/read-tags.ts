import { inParallel } from '../basics/in-parallel.ts';
import type { Manifest } from './manifest.ts';
import type { Content, TaggedContent } from './plan-deletion.ts';
import type { Registry } from './registry.ts';
import { tooManyParts } from './registry-failure.ts';

/** Each tag needs a request. */
export const concurrentRequests = 6;

/** Far more than images have. A registry accepts indexes with any number of entries, each of them an index again. */
const maxParts = 1000;
const maxIndexes = 64;

export interface Parts {
  readonly digests: readonly string[];
  /** False: there are more. */
  readonly isComplete: boolean;
}

/** The digests of the manifests below an index, up to a limit. Reads only those that are an index themselves, each once. */
export async function somePartsBelow(
  registry: Registry,
  repository: string,
  manifest: Manifest,
): Promise<Parts> {
  const digests = new Set<string>();
  const indexes = new Set<string>();
  const isTooMuch = (): boolean => digests.size > maxParts || indexes.size > maxIndexes;
  const add = ({ entries }: Manifest): void => {
    for (const { digest, isIndex } of entries) {
      if (isTooMuch()) return;
      digests.add(digest);
      if (isIndex) indexes.add(digest);
    }
  };
  add(manifest);
  // This loop also meets the indexes that are added in it.
  for (const digest of indexes) {
    if (isTooMuch()) break;
    const inner = await registry.manifest(repository, digest);
    if (inner) add(inner);
  }
  return { digests: [...digests], isComplete: !isTooMuch() };
}

/** The digests of all manifests below an index. */
async function partsBelow(
  registry: Registry,
  repository: string,
  manifest: Manifest,
): Promise<readonly string[]> {
  const { digests, isComplete } = await somePartsBelow(registry, repository, manifest);
  if (!isComplete) throw tooManyParts(repository, manifest.digest);
  return digests;
}

/**
 * What all tags of a repository refer to at this moment. Tags that vanish in that time are left out. What a failed deletion left in place of a
 * tag is not: it can be deleted like others.
 */
export async function readContents(registry: Registry, repository: string): Promise<TaggedContent[]> {
  const tags = await registry.tags(repository);
  const contents = await inParallel(tags, concurrentRequests, async (tag) => {
    const manifest = await registry.storedManifest(repository, tag);
    if (!manifest) return null;
    return { tag, digest: manifest.digest, parts: await partsBelow(registry, repository, manifest) };
  });
  return contents.filter((each) => each !== null);
}

/** What these digests contain. Those that do not exist are left out. */
export async function readDigests(
  registry: Registry,
  repository: string,
  digests: readonly string[],
): Promise<Content[]> {
  const contents = await inParallel([...new Set(digests)], concurrentRequests, async (digest) => {
    const manifest = await registry.manifest(repository, digest);
    return manifest && { digest, parts: await partsBelow(registry, repository, manifest) };
  });
  return contents.filter((each) => each !== null);
}
