/** Words that end the name of a secret. Alone, `pass` and `pwd` are other things: results of tests, and a directory. */
const secretNames = [
  'authorization',
  'passw(?:or)?d',
  'passphrase',
  '[_-](?:pass|pwd)',
  'secret',
  'token',
  '(?:api|access|account|private|secret|signing|encryption)[_-]?key',
  'secret[_-]key[_-]base',
].join('|');

/** `=`, `: `, `":"`, `=>`, also in JSON that is a text of JSON. */
const assigned = `\\\\{0,3}["']?\\s{0,8}[:=]{1,2}>?\\s{0,8}\\\\{0,3}["']?`;

/** A quoted value may contain spaces. */
const value = `(?<=")(?:[^"\\\\]|\\\\.){1,4000}|(?<=')(?:[^'\\\\]|\\\\.){1,4000}|[^"'&\\s,}]+`;

/**
 * In this order: the first may contain the others. Each takes time linear in the text: it begins with fixed words, and its
 * repetitions have a limit or cannot fail after them.
 */
const redactions: readonly [RegExp, string][] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/gs,
    '[redacted]',
  ],
  [/\b(Bearer|Basic)\s{1,8}[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/:\/\/[^/\s@]+@/g, '://[redacted]@'],
  [/\b(cookie["']?[:=]\s{0,8}["']?)[^"'\r\n]+/gi, '$1[redacted]'],
  [new RegExp(`(${secretNames})(\\d{0,4}${assigned})(?:${value})`, 'gis'), '$1$2[redacted]'],
  [/(--[\w-]{0,40}(?:password|passphrase|secret|token|key)\s{1,8})(?![-<[])[^\s]+/gi, '$1[redacted]'],
  [/alm[a-z]?_[\w.~+/=-]{20,}/g, '[redacted]'],
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}/g, '[redacted]'],
  [/gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}/g, '[redacted]'],
];

/** Replaces everything in a text that looks like a secret. */
export const withoutSecrets = (text: string): string =>
  redactions.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
