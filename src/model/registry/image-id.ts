import { isRepositoryName } from './repository-name.ts';

/** A repository, with a tag, a digest or neither: `ann/shop:1.4`. */
export interface ImageReference {
  repository: string;
  tag: string | null;
  digest: string | null;
}

const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-zA-Z=_-]{32,256}$/;

export const isTag = (text: string): boolean => tagPattern.test(text);
export const isDigest = (text: string): boolean => digestPattern.test(text);

/** Parses `ann/shop`, `ann/shop:1.4`, `ann/shop@sha256:…`; null if it is none of these. */
export function parseImage(text: string): ImageReference | null {
  const [, repository = '', tag = null, digest = null] =
    /^([^:@]*)(?::([^:@]*))?(?:@(.*))?$/s.exec(text) ?? [];
  const isValid =
    isRepositoryName(repository) && (tag === null || isTag(tag)) && (digest === null || isDigest(digest));
  return isValid ? { repository, tag, digest } : null;
}
