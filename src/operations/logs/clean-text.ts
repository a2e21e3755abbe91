import { shortened } from '../../basics/text/log-line.ts';
import { withoutSecrets } from '../../basics/text/redact.ts';

// oxlint-disable-next-line no-control-regex -- removes escape codes of terminals
const escapeCodes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g;
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const loneSurrogate = /\p{Cs}/gu;

/**
 * Makes a line of a log, which an attacker may have written, safe to show: without escape codes and without anything that
 * looks like a secret. Indentation stays. The agent has already removed the secrets that it knows.
 */
export const cleanText = (text: string): string =>
  shortened(withoutSecrets(text.replaceAll('\t', '    ').replace(escapeCodes, '').replace(unprintable, ' ')))
    .replace(loneSurrogate, '')
    .trimEnd();
