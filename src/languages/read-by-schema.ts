import type { Static, TSchema } from 'typebox';
import { closestWord } from '../basics/closest-word.ts';
import { isObject } from '../basics/is-object.ts';
import { at } from '../basics/problem.ts';
import { formats, variableNameProblem } from './formats.ts';
import { matchesSchema } from './matches-schema.ts';
import { computed } from './placeholders.ts';
import type { Members } from './plain-values.ts';
import { readInteger, readText, type Scalar } from './read-scalar.ts';
import { below, type Location } from './report.ts';

/** Marks a value that could not be resolved and is already reported; reading skips it. */
export const unresolved = Symbol('unresolved');

/** The part of JSON schema that the languages' schemas use. */
interface Shape extends Scalar {
  const?: unknown;
  anyOf?: readonly Shape[];
  properties?: Readonly<Record<string, Shape>>;
  patternProperties?: Readonly<Record<string, Shape>>;
  /** The format of the names of `patternProperties`. */
  propertyNames?: { format?: string };
  maxProperties?: number;
  additionalProperties?: boolean;
  required?: readonly string[];
  items?: Shape;
  minItems?: number;
  maxItems?: number;
}

/** Returns the value, or undefined after reporting what is wrong with it. */
type Read = (shape: Shape, value: unknown, location: Location) => unknown;

const wordsOf = (names: readonly string[]): string => names.join(', ');

/** Replaces a string that is missing or invalid. */
export const standInText = '?';

/** Replaces a missing or invalid value, so that the rest can still be checked. Never reaches a model. */
const standIn = (shape: Shape): unknown => {
  if (shape.const !== undefined) return shape.const;
  if (shape.anyOf?.[0]) return standIn(shape.anyOf[0]);
  if (shape.type === 'string') return shape.enum?.[0] ?? standInText;
  if (shape.type === 'integer') return shape.minimum ?? 0;
  if (shape.type === 'boolean') return false;
  if (shape.type === 'array')
    return Array.from({ length: shape.minItems ?? 0 }, () => standIn(shape.items ?? {}));
  const required = (shape.required ?? []).map((name) => [name, standIn(shape.properties?.[name] ?? {})]);
  return Object.fromEntries(required);
};

/** Finding the closest name takes time; a document with more unknown members than this is not mistyped. */
const maxSuggestions = 50;

const reportUnknownMembers = (shape: Shape, value: Members, { path, report }: Location): void => {
  const known = Object.keys(shape.properties ?? {});
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  for (const [index, name] of unknown.entries()) {
    const closest = index < maxSuggestions ? closestWord(name, known) : null;
    const hint = closest ? `did you mean "${closest}"?` : `known members: ${wordsOf(known)}.`;
    report(at(path, name), `unknown member; ${hint}`);
  }
};

const isRequired = (owner: Shape, name: string): boolean => owner.required?.includes(name) ?? false;

/** Programs that write documents leave unset members as null or as an empty string. */
const isAbsent = (value: unknown, required: boolean): boolean =>
  value === undefined || value === null || (value === '' && !required);

/** `location` is the member's own. */
const readMember = (shape: Shape, value: unknown, location: Location & { required: boolean }): unknown => {
  const { path, report, required } = location;
  if (!isAbsent(value, required)) return read(shape, value, location);
  if (required) report(path, `is required. ${shape.description ?? ''}${choices(shape)}`.trim());
  return undefined;
};

const choices = (shape: Shape): string => {
  if (typeof shape.const === 'string') return ` Write "${shape.const}".`;
  return shape.enum ? ` Write one of ${wordsOf(shape.enum)}.` : '';
};

const readObject: Read = (shape, value, location) => {
  const { path, report } = location;
  const members = Object.entries(shape.properties ?? {});
  if (!isObject(value))
    return report(path, `must be an object with members such as ${wordsOf(members.map(([name]) => name))}.`);
  if (shape.additionalProperties === false) reportUnknownMembers(shape, value, location);
  const result: Record<string, unknown> = {};
  for (const [name, member] of members) {
    const required = isRequired(shape, name);
    const written = Object.hasOwn(value, name) ? value[name] : undefined;
    const known = readMember(member, written, { ...below(location, name), required });
    if (known !== undefined) result[name] = known;
    else if (required) result[name] = standIn(member);
  }
  return result;
};

const readNames =
  (values: Shape): Read =>
  (shape, value, location) => {
    const { path, report } = location;
    if (!isObject(value)) return report(path, 'must be an object of names and values.');
    const { maxProperties = Number.POSITIVE_INFINITY } = shape;
    if (Object.keys(value).length > maxProperties)
      return report(path, `must have at most ${maxProperties} entries.`);
    const problemOf = formats[shape.propertyNames?.format ?? ''] ?? variableNameProblem;
    const members = Object.entries(value).map(([name, member]) => {
      const problem = problemOf(name);
      if (problem) report(at(path, name), problem);
      return [name, read(values, member, below(location, name)) ?? ''];
    });
    return Object.fromEntries(members);
  };

const readList: Read = (shape, value, location) => {
  const { path, report } = location;
  if (!Array.isArray(value)) return report(path, 'must be a list.');
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = shape;
  if (value.length < minItems) return report(path, `must have at least ${minItems} entry.`);
  if (value.length > maxItems) return report(path, `must have at most ${maxItems} entries.`);
  return value.map((entry, index) => read(items, entry, below(location, index)) ?? standIn(items));
};

const readConstant: Read = (shape, value, { path, report }) => {
  if (value === shape.const) return value;
  return report(path, `must be "${String(shape.const)}".`);
};

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Uses the branch for this kind of value, or else the first one, which reports what is expected. */
const readUnion =
  (branches: readonly Shape[]): Read =>
  (_shape, value, location) => {
    if (value === computed && branches.some((branch) => branch.const === computed)) return value;
    const branch = branches.find(({ type }) => type === kindOf(value)) ?? branches[0];
    const usable = branch?.const === computed ? branches[0] : branch;
    return usable ? read(usable, value, location) : undefined;
  };

const readBoolean: Read = (_shape, value, { path, report }) => {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  return report(path, 'must be true or false.');
};

const readerFor = (shape: Shape): Read => {
  if (shape.anyOf) return readUnion(shape.anyOf);
  if (shape.const !== undefined) return readConstant;
  const [values] = Object.values(shape.patternProperties ?? {});
  if (values) return readNames(values);
  const readers: Record<string, Read> = {
    object: readObject,
    array: readList,
    string: readText,
    integer: readInteger,
    boolean: readBoolean,
  };
  return readers[shape.type ?? ''] ?? ((_shape, value) => value);
};

const read: Read = (shape, value, location) =>
  value === unresolved ? undefined : readerFor(shape)(shape, value, location);

/**
 * Reads a value as its schema describes it: numbers and booleans written as strings become numbers and booleans, and
 * enum words get their one spelling. An invalid value is reported and replaced by a stand-in, so that the rest is
 * checked as well; use the result only when nothing was reported.
 */
export const readBySchema = <T extends TSchema>(
  schema: T,
  value: unknown,
  location: Location,
): Static<T> | null => {
  const shape: Shape = schema;
  const result = read(shape, value, location) ?? standIn(shape);
  if (matchesSchema(schema, result)) return result as Static<T>;
  location.report(location.path, 'does not match the schema.');
  return null;
};
