import { withoutSecrets as redacted } from '../../basics/text/redact.ts';
import { authorityOf } from '../../basics/text/url-authority.ts';
import { secretParts } from '../../basics/text/url-secret-parts.ts';
import { readable } from './readable.ts';
import { isSecret, type Schema } from './schema.ts';
import type { Format, Range, Written } from './written.ts';

/** Also older spellings of secret members, and variables of containers. */
const secretName = /(?:passw(?:or)?d|secret|token|private_?key|api_?key|access_?key)$/i;
const keyBlock = /-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(?:-----END [^-]*PRIVATE KEY-----|$)/g;
/** Members that may be URLs without a scheme. */
const urlName = /(?:image|repo|code|filepath)$/;

/** Functions such as `${use(…)}`, and `${sealed}` for a secret that the service has, are not secrets. */
const isPlaceholder = (value: string): boolean => /^["']?(?:\$\{[^}]*\})?["']?$/.test(value.trim());

/** While it is typed, the password of a URL has no `@` after it. */
const unfinishedPassword = /^([a-z+]{1,20}:\/\/)[^/?#@:[]*:(?!\d*(?:[/?#]|$))[^@]*$/i;

interface Edit extends Range {
  text: string;
}

/** The URL without its user and without secrets in its query. A user whose password is missing would be read as a token. */
function plainUrl(written: string): string {
  const url = written.replace(unfinishedPassword, '$1');
  const authority = authorityOf(url);
  const [first] = secretParts(url);
  const user = authority?.user ?? null;
  if (authority && user !== null && first && first.start < url.indexOf('@', authority.start)) {
    const { start, password } = authority;
    const userLength = user.length + (password === null ? 0 : password.length + 1);
    return plainUrl(url.slice(0, start) + url.slice(start + userLength + 1));
  }
  return secretParts(url).reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), url);
}

/** Quotes of the text are not part of the URL. */
const inQuotes = /^(["']?)(.*)\1$/s;

function editsOfUrl(text: string, { path, value }: Written): Edit[] {
  const [, quote = '', url = ''] = inQuotes.exec(text.slice(value.from, value.to)) ?? [];
  if (/\s/.test(url) || !(url.includes('://') || urlName.test(path)) || url.includes('${')) return [];
  const plain = plainUrl(url);
  return plain === url ? [] : [{ ...value, text: `${quote}${plain}${quote}` }];
}

const editsOfMember =
  (text: string, schema: Schema | null) =>
  (written: Written): Edit[] => {
    const { path, key, value } = written;
    const names = path.split('/');
    const isMarked =
      (schema !== null && isSecret(schema, names)) || (key && secretName.test(names.at(-1) ?? ''));
    if (!isMarked) return editsOfUrl(text, written);
    return isPlaceholder(text.slice(value.from, value.to)) ? [] : [{ ...value, text: '""' }];
  };

function editsOfComment(text: string, { from, to }: Range): Edit[] {
  const comment = text.slice(from, to);
  const safe = redacted(comment);
  return safe === comment ? [] : [{ from, to, text: safe }];
}

export interface Safe {
  text: string;
  /** How many secrets were left out. */
  omitted: number;
}

/** What is inside a member that is removed needs no change of its own. */
const outermost = (edits: Edit[]): Edit[] =>
  edits
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from }, index, all) => all.slice(0, index).every((before) => before.to <= from));

/**
 * The text without the values of secret members, as it may be kept in the browser. Null: nobody can say where its secrets
 * are, because it can be read neither in its format nor in the other one.
 */
export function withoutSecrets(text: string, format: Format, schema: Schema | null): Safe | null {
  if (text.trim() === '') return { text, omitted: 0 };
  const read = readable(text, format);
  if (!read) return null;
  const edits = outermost([
    ...read.members.flatMap(editsOfMember(text, schema)),
    ...read.comments.flatMap((comment) => editsOfComment(text, comment)),
  ]);
  let omitted = edits.length;
  const safe = edits
    .reduceRight((rest, edit) => rest.slice(0, edit.from) + edit.text + rest.slice(edit.to), text)
    .replaceAll(keyBlock, () => {
      omitted += 1;
      return '';
    });
  return { text: safe, omitted };
}
