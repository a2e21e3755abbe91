import { withoutSecrets } from '../../basics/log.ts';

/** Line breaks, terminal codes, and marks that turn the reading direction around. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const loneSurrogate = /\p{Cs}/gu;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs;

/**
 * Text from an instance, which anybody who broke into it may have written: one line of it, not too long, and
 * without what looks like a secret, so that it can be kept and shown to people.
 */
export const reportedText = (text: string, longest: number): string =>
  withoutSecrets(text.slice(0, longest).replace(privateKey, '[redacted]').replace(unprintable, ' '))
    .slice(0, longest)
    .replace(loneSurrogate, '')
    .trim();
