import type { ImageReference } from './image-id.ts';
import { isDigest, isTag } from './image-id.ts';
import { repositoryOn } from './image-reference.ts';

/** The image of a template, if it is on the registry with this host. Without a tag and a digest, engines pull `latest`. */
export function imageOn(host: string, text: string): ImageReference | null {
  const repository = repositoryOn(host, text);
  if (repository === null) return null;
  const [, tag = 'latest', digest = null] = /(?::([^/:@]*))?(?:@([^/@]*))?$/s.exec(text) ?? [];
  if (digest !== null && isDigest(digest)) return { repository, tag: null, digest };
  return { repository, tag: isTag(tag) ? tag : 'latest', digest: null };
}
