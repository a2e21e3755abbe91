import { isSecret, type Schema } from './schema.ts';
import { type Format, type Range, type Written, writtenIn } from './written.ts';

/** Also older spellings of secret members, and those in a text that cannot be read yet. */
const secretName = /(?:password|secret|private_?key|api_?key)$/i;
const secretLine = /^([\s-]*["']?\w*(?:password|secret|private_?key|api_?key)["']?\s*:[^\S\n]+)(\S.*)$/gim;
const closedValue = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\$\{[^}]*\})(?=\s*(?:[,}\]].*|\s#.*)?$)/;
const openString = /^["'].*?(?=,?\s*$)/;
const plainValue = /^(?!#).*?(?=\s+#|,?\s*$)/;
const opensBlock = /^[|>{[][-+]?\s*$/;
const keyBlock = /-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(?:-----END [^-]*PRIVATE KEY-----|$)/g;
const urlSecret = /(:\/\/)[^\s/@"']*:[^\s/@"']*@/g;

/** Functions such as `${use(…)}`, and `${sealed}` for a secret that the service has, are not secrets. */
const isPlaceholder = (value: string): boolean => /^["']?(?:\$\{[^}]*\})?["']?$/.test(value.trim());

/** The value at the beginning of the rest of a line. When in doubt it is all of it: better lost than stored. */
const valueIn = (rest: string): string =>
  (closedValue.exec(rest) ?? openString.exec(rest) ?? plainValue.exec(rest) ?? [''])[0];

/** In JSON whose value is still missing, the parser takes the name of the next member for it. */
const isNextName = (text: string, { key, value }: Written): boolean =>
  key !== null && text.slice(key.to, value.from).includes('\n') && /^\s*:/.test(text.slice(value.to));

const secretRanges = (text: string, format: Format, schema: Schema | null): Range[] =>
  writtenIn(text, format)
    .filter((written) => {
      const { path, key, value } = written;
      const names = path.split('/');
      const isMarked = schema !== null && isSecret(schema, names);
      return (
        (isMarked || (key && secretName.test(names.at(-1) ?? ''))) &&
        !isPlaceholder(text.slice(value.from, value.to)) &&
        !isNextName(text, written)
      );
    })
    .map(({ value }) => value);

export interface Safe {
  text: string;
  /** How many secrets were left out. */
  omitted: number;
}

/** The text without the values of secret members, as it may be kept in the browser. */
export function withoutSecrets(text: string, format: Format, schema: Schema | null): Safe {
  let omitted = 0;
  const blank = (replacement: string): string => {
    omitted += 1;
    return replacement;
  };
  let safe = text;
  for (const { from, to } of secretRanges(text, format, schema).toReversed())
    safe = `${safe.slice(0, from)}${blank('""')}${safe.slice(to)}`;
  safe = safe
    .replaceAll(keyBlock, () => blank(''))
    .replaceAll(secretLine, (line: string, ...[name = '', rest = '']: string[]) => {
      const value = valueIn(rest);
      return isPlaceholder(value) || opensBlock.test(rest)
        ? line
        : blank(`${name}""${rest.slice(value.length)}`);
    })
    .replaceAll(urlSecret, (_, scheme: string) => blank(scheme));
  return { text: safe, omitted };
}
