import { CliError } from '../cli-error.ts';
import { shownImage } from './image.ts';
import type { Registry } from './registry.ts';

/** An image may have hundreds of tags, and each must be asked for. */
const atOnce = 6;

/** What went away in the meantime, or never was: an image whose tags are all gone may be unknown to the registry. */
async function orNone<T>(asked: Promise<T>, none: T): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CliError && error.exitReason === 'notFound') return none;
    throw error;
  }
}

/** All tags of the image that stand for this content, in the registry's order. */
export async function tagsOfContent(registry: Registry, name: string, digest: string): Promise<string[]> {
  const tags = await orNone(registry.list(`/v2/${name}/tags/list`, 'tags', { name }), []);
  const found = new Set<string>();
  const waiting = tags.values();
  const look = async (): Promise<void> => {
    for (const tag of waiting)
      if ((await orNone(registry.digest(name, tag, shownImage(name, tag)), '')) === digest) found.add(tag);
  };
  await Promise.all(Array.from({ length: atOnce }, look));
  return tags.filter((tag) => found.has(tag));
}
