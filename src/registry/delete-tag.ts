import { makePlaceholder } from './manifest.ts';
import type { TaggedContent } from './plan-deletion.ts';
import type { Registry } from './registry.ts';
import { tagChanged } from './registry-failure.ts';

interface Untagging extends Pick<TaggedContent, 'tag' | 'digest'> {
  repository: string;
  /** No other deletion has the same text. */
  unique: string;
}

/** Deletes one tag. Its content stays, also for other tags. A push of the same tag at this moment wins. */
export async function deleteTag(
  registry: Registry,
  { repository, tag, digest, unique }: Untagging,
): Promise<void> {
  const placeholder = makePlaceholder(unique);
  // Nothing has this digest yet: it fails only if the registry would not delete the placeholder either.
  await registry.deleteManifest(repository, placeholder.digest);
  const original = await registry.storedManifest(repository, tag);
  if (original?.digest !== digest) throw tagChanged(repository, tag);
  const giveBack = async (): Promise<void> => {
    const current = await registry.storedManifest(repository, tag);
    if (current?.digest === placeholder.digest) await registry.putManifest(repository, tag, original);
  };
  try {
    await registry.putManifest(repository, tag, placeholder);
    await registry.deleteManifest(repository, placeholder.digest);
  } catch (error) {
    // If this fails too, the first failure is the one to report. Repeating the deletion then removes the placeholder.
    await giveBack().catch(() => {});
    throw error;
  }
}
