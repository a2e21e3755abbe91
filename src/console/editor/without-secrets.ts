import { isSecret, type Schema } from './schema.ts';
import { type Format, type Range, writtenIn } from './written.ts';

/** Also older spellings of secret members, and those in a text that cannot be read yet. */
const secretName = /(?:password|secret|private_?key|api_?key)$/i;
const secretLine =
  /^([\s-]*["']?\w*(?:password|secret|private_?key|api_?key)["']?\s*:[^\S\n]+)(\S.*?)(,?)$/gim;
const opensBlock = /^[|>{[][-+]?\s*$/;
const keyBlock = /-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(?:-----END [^-]*PRIVATE KEY-----|$)/g;
const urlSecret = /(:\/\/)[^\s/@"']*:[^\s/@"']*@/g;

/** Functions such as `${use(…)}`, and `${sealed}` for a secret that the service has, are not secrets. */
const isPlaceholder = (value: string): boolean => /^["']?(?:\$\{[^}]*\})?["']?$/.test(value.trim());

const secretRanges = (text: string, format: Format, schema: Schema | null): Range[] =>
  writtenIn(text, format)
    .filter(({ path, key, value }) => {
      const names = path.split('/');
      const isMarked = schema !== null && isSecret(schema, names);
      return (
        (isMarked || (key && secretName.test(names.at(-1) ?? ''))) &&
        !isPlaceholder(text.slice(value.from, value.to))
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
    .replaceAll(secretLine, (line: string, ...[name = '', value = '', comma = '']: string[]) =>
      isPlaceholder(value) || opensBlock.test(value) ? line : blank(`${name}""${comma}`),
    )
    .replaceAll(urlSecret, (_, scheme: string) => blank(scheme));
  return { text: safe, omitted };
}
