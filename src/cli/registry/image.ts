import { usageError } from '../cli-error.ts';

/** An image from the command line; the user and the reference are optional. */
export interface ImageReference {
  name: string;
  /** A tag, or a digest such as `sha256:…`. */
  reference: string | undefined;
}

const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const namePattern = new RegExp(`^${part}(?:/${part})*$`);
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-f]{32,}$/;

const isDigest = (reference: string): boolean => digestPattern.test(reference);

/** Parses `shop:1.4` or `ann/shop@sha256:…`; removes the registry address, which images in templates have. */
export function parseImage(text: string, registryUrl: string): ImageReference {
  const { host } = new URL(registryUrl);
  const local = text.startsWith(`${host}/`) ? text.slice(host.length + 1) : text;
  const [, name = '', tag, digest] = /^(.*?)(?::([^/:@]*))?(?:@([^/]*))?$/s.exec(local) ?? [];
  const isValid =
    (tag === undefined || tagPattern.test(tag)) && (digest === undefined || digestPattern.test(digest));
  if (isValid) return { name, reference: digest ?? tag };
  throw usageError(
    `Invalid image "${text}": "${digest ?? tag}" is not a valid ${digest === undefined ? 'tag' : 'digest'}.`,
    'Examples: shop:1.4, shop@sha256:<64 hex digits>',
  );
}

/** Adds the user to a name without one, as existing clients do. */
export async function fullName({ name }: ImageReference, user: () => Promise<string>): Promise<string> {
  const full = name.includes('/') || name === '' ? name : `${await user()}/${name}`;
  if (namePattern.test(full)) return full;
  throw usageError(
    `Invalid image name "${full}".`,
    'Use lower-case letters and digits, separated by . _ - or /',
    'For an image of another user: --image <user>/<name>',
  );
}

/** `ann/shop:1.4` or `ann/shop@sha256:…` */
export const formatImage = (name: string, reference: string): string =>
  `${name}${isDigest(reference) ? '@' : ':'}${reference}`;
