import { usageError } from '../cli-error.ts';

/** An image as it was written: perhaps without its user, perhaps without what of it is meant. */
export interface WrittenImage {
  name: string;
  /** A tag, or a digest such as `sha256:…`. */
  reference: string | undefined;
}

const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const nameForm = new RegExp(`^${part}(?:/${part})*$`);
const tagForm = /^\w[\w.-]{0,127}$/;
const digestForm = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-f]{32,}$/;

const isDigest = (reference: string): boolean => digestForm.test(reference);

/** `shop:1.4`, `ann/shop@sha256:…`; the registry's own address before it is what templates have, and is left out. */
export function readImage(written: string, registryUrl: string): WrittenImage {
  const { host } = new URL(registryUrl);
  const local = written.startsWith(`${host}/`) ? written.slice(host.length + 1) : written;
  const [, name = '', tag, digest] = /^(.*?)(?::([^/:@]*))?(?:@([^/]*))?$/s.exec(local) ?? [];
  const isGood =
    (tag === undefined || tagForm.test(tag)) && (digest === undefined || digestForm.test(digest));
  if (isGood) return { name, reference: digest ?? tag };
  throw usageError(
    `"${written}" does not say which of the image is meant: "${digest ?? tag}" is no ${digest === undefined ? 'tag' : 'digest'}.`,
    'Such as: shop:1.4 or shop@sha256:<64 digits>',
  );
}

/** The user is put before names that have none, as existing clients do. */
export async function fullName({ name }: WrittenImage, user: () => Promise<string>): Promise<string> {
  const full = name.includes('/') || name === '' ? name : `${await user()}/${name}`;
  if (nameForm.test(full)) return full;
  throw usageError(
    `"${full}" cannot be the name of an image.`,
    'It has lower-case letters and digits; between them . _ - and /',
    'With another user before it: --image <user>/<name>',
  );
}

/** How people write it. */
export const shownImage = (name: string, reference: string): string =>
  `${name}${isDigest(reference) ? '@' : ':'}${reference}`;
