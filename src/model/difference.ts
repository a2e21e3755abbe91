import { isObject } from '../basics/is-object.ts';

/** Differences of two JSON documents, leaf by leaf, by path (names joined by `/`). */
export interface Difference {
  added: Map<string, unknown>;
  removed: Map<string, unknown>;
  edited: Map<string, { before: unknown; after: unknown }>;
}

/** Lists whose entries are matched by name instead of position: the list's path, and the member with an entry's name. */
export type NamedLists = ReadonlyMap<string, string>;

type Parts = ReadonlyMap<string, unknown>;

const kindOf = (value: unknown): 'list' | 'object' | 'leaf' => {
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'object' : 'leaf';
};

/** Escapes a name as JSON pointers do, so that no two values have the same path. */
const segment = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;

const below = (path: string, part: string): string => {
  if (part === '') return path;
  return path === '' ? part : `${path}/${part}`;
};

/** Members or entries of a value by path segment; list entries count from 1. */
const partsOf = (value: unknown): Parts => {
  if (Array.isArray(value)) return new Map(value.map((entry, index) => [String(index + 1), entry]));
  if (!isObject(value)) return new Map();
  return new Map(Object.entries(value).map(([name, member]) => [segment(name), member]));
};

/** The entries of a list by name, or null when they do not all have a unique name. */
const namedParts = (list: unknown, member: string): Parts | null => {
  if (!Array.isArray(list)) return null;
  const parts = new Map<string, unknown>();
  for (const entry of list) {
    const name = isObject(entry) && Object.hasOwn(entry, member) ? entry[member] : '';
    if (typeof name !== 'string' || name === '' || parts.has(segment(name))) return null;
    parts.set(segment(name), entry);
  }
  return parts;
};

/** Single entries on both sides match each other, whatever their names. */
const pairedParts = (before: unknown, after: unknown, member: string | undefined): [Parts, Parts] => {
  const left = member === undefined ? null : namedParts(before, member);
  const right = member === undefined ? null : namedParts(after, member);
  if (!left || !right) return [partsOf(before), partsOf(after)];
  if (left.size !== 1 || right.size !== 1) return [left, right];
  return [new Map([['', [...left.values()][0]]]), new Map([['', [...right.values()][0]]])];
};

/** Records all leaves of a value that only one side has; an empty list or object is also a leaf. */
const recordLeaves = (leaves: Map<string, unknown>, value: unknown, path: string): void => {
  const parts = partsOf(value);
  if (parts.size === 0) leaves.set(path, value);
  for (const [part, inner] of parts) recordLeaves(leaves, inner, below(path, part));
};

/** Pure. The result is empty exactly when both are equal, except for the order of named entries. */
export function difference(before: unknown, after: unknown, namedLists: NamedLists = new Map()): Difference {
  const found: Difference = { added: new Map(), removed: new Map(), edited: new Map() };

  const compare = (left: unknown, right: unknown, path: string): void => {
    const kind = kindOf(left);
    if (kind === kindOf(right) && kind !== 'leaf') compareParts(left, right, path);
    else if (left !== right) found.edited.set(path, { before: left, after: right });
  };

  const compareParts = (left: unknown, right: unknown, path: string): void => {
    const [leftParts, rightParts] = pairedParts(left, right, namedLists.get(path));
    for (const [part, value] of leftParts) {
      if (value !== undefined && rightParts.get(part) === value) continue; // most leaves: no path is needed
      if (rightParts.has(part)) compare(value, rightParts.get(part), below(path, part));
      else recordLeaves(found.removed, value, below(path, part));
    }
    for (const [part, value] of rightParts)
      if (!leftParts.has(part)) recordLeaves(found.added, value, below(path, part));
  };

  compare(before, after, '');
  return found;
}
