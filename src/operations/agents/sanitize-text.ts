import { Failure } from '../../basics/failure.ts';
import { withoutSecrets } from '../../basics/text/redact.ts';

/** Line breaks, terminal escape codes, and characters that reverse the reading direction. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const loneSurrogate = /\p{Cs}/gu;

/**
 * Makes text from an instance, which an attacker may have written, safe to store and show: one line of limited length without
 * anything that looks like a secret.
 */
export const sanitizeText = (text: string, maxLength: number): string =>
  withoutSecrets(text.slice(0, maxLength).replace(unprintable, ' '))
    .slice(0, maxLength)
    .replace(loneSurrogate, '')
    .trim();

/** The same for several lines, of which the last ones count. */
export const sanitizeLines = (text: string, maxLength: number): string =>
  withoutSecrets(text.slice(-maxLength))
    .split(/\r?\n/)
    .map((line) => sanitizeText(line, maxLength))
    .filter((line) => line !== '')
    .join('\n');

const maxStatusLength = 255;

export const readStatus = (status: string): string => {
  const text = sanitizeText(status, maxStatusLength);
  if (text !== '') return text;
  throw new Failure('invalid_request', 'status must not be empty');
};
