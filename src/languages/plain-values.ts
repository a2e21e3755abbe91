import { isObject } from '../basics/is-object.ts';
import { at, type Problem } from '../basics/problem.ts';
import { findUnreadableText, readableName } from '../basics/text/readable-text.ts';

/** A parsed document before it is checked. */
export type Members = Readonly<Record<string, unknown>>;

/** Deeper than any document, shallow enough that all later code can use plain recursion. */
const maxDepth = 40;

/** Limit of the text, before it is parsed: a little more, because some brackets do not count as levels of the document. */
export const maxBrackets = 100;

export const nestedTooDeeply = `is nested more than ${maxDepth} levels deep.`;

/** More than any document has; every step of compiling takes time and memory in proportion to it. */
export const maxValues = 10_000;

export const tooManyValues = `has more than ${maxValues} members and list entries; split it into several stacks.`;

/** More than any name has. Problems repeat names and paths, so that long ones cost time and memory many times over. */
const maxNameLength = 256;
const shownNameLength = 40;

const isPlain = (value: unknown): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return Object.keys(value).length === value.length;
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

const problemOf = (value: unknown, path: string, depth: number): Problem | null => {
  if (depth > maxDepth) return { path, message: nestedTooDeeply };
  if (!isPlain(value))
    return { path, message: 'must be a string, a number, true, false, a list or an object.' };
  return isObject(value) ? nameProblem(value, path) : null;
};

const nameProblem = (members: Members, path: string): Problem | null => {
  if (Object.hasOwn(members, '__proto__'))
    return { path: at(path, '__proto__'), message: 'is not allowed as a member name.' };
  const long = Object.keys(members).find((name) => name.length > maxNameLength);
  if (long === undefined) return null;
  return {
    path: at(path, `${readableName(long.slice(0, shownNameLength))}…`),
    message: `has a name of ${long.length} characters; a member name has at most ${maxNameLength}.`,
  };
};

/**
 * Finds the first value that JSON cannot represent or that exceeds a limit, or else the first text that cannot be stored.
 * It uses no recursion and stops at the first problem, so that hostile nesting and circular aliases are rejected here and
 * later code can use plain recursion.
 */
export const findNonJsonValue = (root: unknown): Problem | null => {
  const waiting = [{ value: root, path: '', depth: 0 }];
  let values = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path, depth } = next;
    const problem = problemOf(value, path, depth);
    if (problem) return problem;
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.entries(value);
    // Counted here and not in the text: aliases refer to the same value many times.
    values += members.length;
    if (values > maxValues) return { path: '', message: tooManyValues };
    for (const [name, member] of members)
      waiting.push({ value: member, path: at(path, name), depth: depth + 1 });
  }
  return findUnreadableText(root)[0] ?? null;
};

/** A string or number as a string, anything else as an empty string. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Returns the replacement of a value: the value itself to descend into it, undefined to omit it. */
type Change = (value: unknown, path: readonly string[]) => unknown;

const copyValue = (value: unknown, change: Change, path: readonly string[]): unknown => {
  const changed = change(value, path);
  if (changed !== value) return changed;
  if (Array.isArray(value))
    return value.map((entry, index) => copyValue(entry, change, [...path, String(index)]));
  return isObject(value) ? copyMembers(value, change, path) : value;
};

/** Copies a tree, passing every value through `change`. The original is not modified. */
export const copyMembers = (members: Members, change: Change, path: readonly string[] = []): Members => {
  const copies = Object.entries(members).map(([name, value]): [string, unknown] => [
    name,
    copyValue(value, change, [...path, name]),
  ]);
  return Object.fromEntries(copies.filter(([, value]) => value !== undefined));
};
