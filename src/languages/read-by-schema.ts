import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { closestWord } from '../basics/closest-word.ts';
import { isObject } from '../basics/is-object.ts';
import { at } from '../basics/problem.ts';
import { variableNameTrouble } from './formats.ts';
import { computed } from './placeholders.ts';
import type { Members } from './plain-values.ts';
import { readInteger, readText, type Scalar } from './read-scalar.ts';
import type { Report } from './report.ts';

/** Left where a value could not be worked out and a problem says so; reading passes over it. */
export const unresolved = Symbol('unresolved');

/** The part of JSON schema that the languages' schemas use. */
interface Shape extends Scalar {
  const?: unknown;
  anyOf?: readonly Shape[];
  properties?: Readonly<Record<string, Shape>>;
  patternProperties?: Readonly<Record<string, Shape>>;
  additionalProperties?: boolean;
  required?: readonly string[];
  items?: Shape;
  minItems?: number;
  maxItems?: number;
}

type Read<T = unknown> = (shape: Shape, value: T, path: string, report: Report) => unknown;

const wordsOf = (names: readonly string[]): string => names.join(', ');

/** Stands for a text that is missing or wrong. */
export const standInText = '?';

/** Takes the place of what is missing or wrong, so that the rest can still be looked at. Never reaches a model. */
const standIn = (shape: Shape): unknown => {
  if (shape.const !== undefined) return shape.const;
  if (shape.anyOf?.[0]) return standIn(shape.anyOf[0]);
  if (shape.type === 'string') return shape.enum?.[0] ?? standInText;
  if (shape.type === 'integer') return shape.minimum ?? 0;
  if (shape.type === 'boolean') return false;
  if (shape.type === 'array')
    return Array.from({ length: shape.minItems ?? 0 }, () => standIn(shape.items ?? {}));
  const needed = (shape.required ?? []).map((name) => [name, standIn(shape.properties?.[name] ?? {})]);
  return Object.fromEntries(needed);
};

/** Guessing what was meant takes time; past this many strange members nobody meant any of them. */
const maxGuesses = 50;

const reportUnknownMembers = (shape: Shape, value: Members, path: string, report: Report): void => {
  const known = Object.keys(shape.properties ?? {});
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  for (const [index, name] of unknown.entries()) {
    const meant = index < maxGuesses ? closestWord(name, known) : null;
    const hint = meant ? `did you mean "${meant}"?` : `known here are ${wordsOf(known)}.`;
    report(at(path, name), `is not a known member; ${hint}`);
  }
};

/** Programs that write documents leave unset members as null or as empty text. */
const isAbsent = (value: unknown, needed: boolean): boolean =>
  value === undefined || value === null || (value === '' && !needed);

const readMember = (owner: Shape, value: Members, name: string, path: string, report: Report): unknown => {
  const shape = owner.properties?.[name] ?? {};
  const needed = owner.required?.includes(name) ?? false;
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  if (!isAbsent(member, needed)) return read(shape, member, at(path, name), report);
  if (needed) report(at(path, name), `is missing. ${shape.description ?? ''}${choices(shape)}`.trim());
  return undefined;
};

const choices = (shape: Shape): string => {
  if (typeof shape.const === 'string') return ` Write "${shape.const}".`;
  return shape.enum ? ` Write one of ${wordsOf(shape.enum)}.` : '';
};

const readObject: Read = (shape, value, path, report) => {
  if (!isObject(value))
    return report(
      path,
      `must be an object with members such as ${wordsOf(Object.keys(shape.properties ?? {}))}.`,
    );
  if (shape.additionalProperties === false) reportUnknownMembers(shape, value, path, report);
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(shape.properties ?? {})) {
    const known = readMember(shape, value, name, path, report);
    if (known !== undefined) result[name] = known;
    else if (shape.required?.includes(name)) result[name] = standIn(member);
  }
  return result;
};

const readNames =
  (values: Shape): Read =>
  (_shape, value, path, report) => {
    if (!isObject(value)) return report(path, 'must be an object of names and values.');
    const members = Object.entries(value).map(([name, member]) => {
      const trouble = variableNameTrouble(name);
      if (trouble) report(at(path, name), trouble);
      return [name, read(values, member, at(path, name), report) ?? ''];
    });
    return Object.fromEntries(members);
  };

const readList: Read = (shape, value, path, report) => {
  if (!Array.isArray(value)) return report(path, 'must be a list.');
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = shape;
  if (value.length < minItems) return report(path, `must have at least ${minItems} entry.`);
  if (value.length > maxItems) return report(path, `must have at most ${maxItems} entries.`);
  return value.map((entry, index) => read(items, entry, at(path, index), report) ?? standIn(items));
};

const readConstant: Read = (shape, value, path, report) => {
  if (value === shape.const) return value;
  return report(path, `must be "${String(shape.const)}".`);
};

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** The branch made for this kind of value; the first one, which then says what is expected, if there is none. */
const readUnion =
  (branches: readonly Shape[]): Read =>
  (_shape, value, path, report) => {
    if (value === computed && branches.some((branch) => branch.const === computed)) return value;
    const branch = branches.find(({ type }) => type === kindOf(value)) ?? branches[0];
    const usable = branch?.const === computed ? branches[0] : branch;
    return usable ? read(usable, value, path, report) : undefined;
  };

const readBoolean: Read = (_shape, value, path, report) => {
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

/** The value, or undefined after reporting what is wrong with it. */
const read: Read = (shape, value, path, report) =>
  value === unresolved ? undefined : readerFor(shape)(shape, value, path, report);

/**
 * A value as its schema says it is: numbers and truths written as text become numbers and truths, words get their
 * one spelling. `place` is where the value stands in what the user sent. Where something is wrong it is reported and a stand-in goes on in its place, so that the rest is looked at as well; the
 * result is the truth when nothing was reported.
 */
export const readBySchema = <T extends TSchema>(
  schema: T,
  value: unknown,
  report: Report,
  place = '',
): Static<T> | null => {
  const shape: Shape = schema;
  const result = read(shape, value, place, report) ?? standIn(shape);
  if (Check(schema, result)) return result;
  report(place, 'does not have the form it should have.');
  return null;
};
