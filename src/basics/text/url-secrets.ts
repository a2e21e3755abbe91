import { createHash } from 'node:crypto';
import { type SecretPart, secretParts } from './url-secret-parts.ts';

/** Databases limit the length of a key. */
const maxName = 200;

const shortened = (name: string): string =>
  name.length > maxName ? `sha256/${createHash('sha256').update(name).digest('hex')}` : name;

const namedParts = (text: string): SecretPart[] =>
  secretParts(text).map(({ name, start, end }) => ({ name: shortened(name), start, end }));

/** The secrets in a URL, or in a text like one. */
export const urlSecrets = (text: string): { name: string; value: string }[] =>
  namedParts(text).map(({ name, start, end }) => ({ name, value: text.slice(start, end) }));

/** Replaces every secret in a URL. */
export const replaceUrlSecrets = (
  text: string,
  replacement: (secret: { name: string; value: string }) => string,
): string =>
  namedParts(text).reduceRight(
    (rest, { name, start, end }) =>
      rest.slice(0, start) + replacement({ name, value: text.slice(start, end) }) + rest.slice(end),
    text,
  );
