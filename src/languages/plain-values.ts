import { isObject } from '../basics/is-object.ts';
import { at, type Problem } from '../basics/problem.ts';

/** A parsed document before anything is known about it. */
export type Members = Readonly<Record<string, unknown>>;

/** Deeper than any document, shallow enough for every walk after this one to be a plain recursion. */
const deepest = 40;

const isPlain = (value: unknown): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return Object.keys(value).length === value.length;
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

const troubleWith = (value: unknown, path: string, depth: number): Problem | null => {
  if (depth > deepest) return { path, message: `is nested more than ${deepest} levels deep.` };
  if (!isPlain(value)) return { path, message: 'must be text, a number, true, false, a list or an object.' };
  if (isObject(value) && Object.hasOwn(value, '__proto__'))
    return { path: at(path, '__proto__'), message: 'is not a name a member can have.' };
  return null;
};

/**
 * Whether a value is made of nothing but what JSON can say. It walks without recursion and stops at the first
 * trouble, so that hostile nesting and circular aliases end here and everything later may walk simply.
 */
export const findForeignValue = (root: unknown): Problem | null => {
  const waiting = [{ value: root, path: '', depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path, depth } = next;
    const trouble = troubleWith(value, path, depth);
    if (trouble) return trouble;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value))
      waiting.push({ value: member, path: at(path, name), depth: depth + 1 });
  }
  return null;
};

/** Text or a number as text, anything else as none: what people write where a name is expected. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Says what a value becomes: itself to look inside it, undefined to leave it out. */
type Change = (value: unknown, path: readonly string[]) => unknown;

const copyValue = (value: unknown, change: Change, path: readonly string[]): unknown => {
  const changed = change(value, path);
  if (changed !== value) return changed;
  if (Array.isArray(value))
    return value.map((entry, index) => copyValue(entry, change, [...path, String(index)]));
  return isObject(value) ? copyMembers(value, change, path) : value;
};

/** The same tree with every value passed through `change`; what it was made from is not touched. */
export const copyMembers = (members: Members, change: Change, path: readonly string[] = []): Members => {
  const copies = Object.entries(members).map(([name, value]): [string, unknown] => [
    name,
    copyValue(value, change, [...path, name]),
  ]);
  return Object.fromEntries(copies.filter(([, value]) => value !== undefined));
};
