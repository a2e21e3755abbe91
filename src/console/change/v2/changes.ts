import { flagsOf, queryOf, type Word } from '../../data/question.ts';
import { curlCommand } from '../../parts/acts/command.ts';

/** The parameters of a stack of API v2, by name. */
export type Configuration = Readonly<Record<string, unknown>>;

/** One parameter that differs; undefined: the configuration does not have it. */
export interface MemberChange {
  name: string;
  before: unknown;
  after: unknown;
}

/** Members that only replies have: they say where the stack is. */
const ofReplies: ReadonlySet<string> = new Set(['AWS', 'AWS_ACCOUNT_NAME']);

export const editable = (configuration: Configuration): Configuration =>
  Object.fromEntries(Object.entries(configuration).filter(([name]) => !ofReplies.has(name)));

/** Numbers and booleans as people write them; the service stores both as text. */
export const readable = (value: unknown): unknown => {
  if (typeof value === 'string')
    return /^(?:0|[1-9]\d{0,8}|true|false)$/.test(value) ? JSON.parse(value) : value;
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readable(each)]));
};

/** The service stores all values as text, and ignores empty ones. */
const stored = (value: unknown): unknown => {
  if (value === null || value === '') return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === undefined) return value;
  const members = Object.entries(value).map(([name, each]): [string, unknown] => [name, stored(each)]);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(stored(a)) === JSON.stringify(stored(b));

/** What an update would send: the parameters that differ, in the order of the text. */
export function changesOf(before: Configuration, after: Configuration): MemberChange[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names
    .filter((name) => !isSame(before[name], after[name]))
    .map((name) => ({ name, before: stored(before[name]), after: stored(after[name]) }));
}

/** Parameters that an update does not name stay as they are; null clears one. */
export const patchOf = (changes: readonly MemberChange[]): Record<string, unknown> =>
  Object.fromEntries(changes.map(({ name, after }) => [name, after ?? null]));

export const isSecretName = (name: string): boolean => /password$|privatekey$/i.test(name);

const flags: Readonly<Record<string, string>> = {
  type: '--type',
  min: '--min',
  max: '--max',
  spotRange: '--spot-range',
};

/** With `alm` where it has a flag for every changed parameter, else with curl. Secrets are left out. */
export function commandOf(stackId: string, changes: readonly MemberChange[], word?: Word): string {
  const known = changes.map(({ name, after }) => ({ flag: flags[name], after }));
  if (known.every(({ flag, after }) => flag !== undefined && typeof after === 'string'))
    return [
      `alm stack update --apiver v2 --id ${stackId}`,
      ...known.map(({ flag, after }) => ` ${flag} ${String(after)}`),
      flagsOf(word),
      ' --wait',
    ].join('');
  const shown = changes.map((each) =>
    isSecretName(each.name) && each.after !== undefined ? { ...each, after: `<${each.name}>` } : each,
  );
  const query = Object.entries(queryOf(word)).map(([name, value]) => `${name}=${value}`);
  const path = [`/v2/alm/stack/${stackId}`, ...(query.length > 0 ? [query.join('&')] : [])].join('?');
  return curlCommand('PUT', path, { configurations: patchOf(shown) });
}
