import { inParallel } from '../basics/in-parallel.ts';
import type { Manifest } from './manifest.ts';
import type { TaggedContent } from './plan-deletion.ts';
import type { Registry } from './registry.ts';

/** Each tag needs a request. */
export const concurrentRequests = 6;

/** An index of an index is allowed, and rare. */
const maxDepth = 4;

/** The digests of all manifests below an index. Reads only those that are an index themselves. */
export async function partsBelow(
  registry: Registry,
  repository: string,
  manifest: Manifest,
): Promise<string[]> {
  const parts = new Set<string>();
  let level: Manifest[] = [manifest];
  for (let depth = 1; depth < maxDepth && level.length > 0; depth += 1) {
    const entries = level.flatMap((each) => each.entries).filter(({ digest }) => !parts.has(digest));
    for (const { digest } of entries) parts.add(digest);
    const inner = entries.filter(({ isIndex }) => isIndex);
    const read = await inParallel(inner, concurrentRequests, ({ digest }) =>
      registry.manifest(repository, digest),
    );
    level = read.filter((each) => each !== null);
  }
  return [...parts];
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
