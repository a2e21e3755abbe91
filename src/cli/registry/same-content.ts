import { CliError } from '../cli-error.ts';
import type { Registry } from './registry.ts';

/** An image may have hundreds of tags, and each needs a request. */
const maxConcurrency = 6;

/** Returns a default for what is not found: a registry may not know an image without tags. */
async function orDefault<T>(request: Promise<T>, fallback: T): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof CliError && error.exitReason === 'notFound') return fallback;
    throw error;
  }
}

/** All tags of the image with this content, in the order of the registry. */
export async function tagsOfContent(registry: Registry, name: string, digest: string): Promise<string[]> {
  const tags = await orDefault(registry.list(`/v2/${name}/tags/list`, 'tags', { name }), []);
  const matching = new Set<string>();
  const queue = tags.values();
  const work = async (): Promise<void> => {
    for (const tag of queue)
      if ((await orDefault(registry.digest(name, tag), '')) === digest) matching.add(tag);
  };
  await Promise.all(Array.from({ length: maxConcurrency }, work));
  return tags.filter((tag) => matching.has(tag));
}
