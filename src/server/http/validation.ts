import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import type { Problem } from '../../basics/problem.ts';
import { at } from '../../basics/problem.ts';

// The library stops after 8 by itself; a caller should hear of everything at once.
Settings.Set({ maxErrors: 100 });

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('/');

const limitWords: Readonly<Record<string, (limit: number | bigint) => string>> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minLength: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => `must have at least ${limit} entries`,
  maxItems: (limit) => `must have at most ${limit} entries`,
};

const predicate = (error: TLocalizedValidationError): string => {
  if (error.keyword === 'type')
    return `must be ${[error.params.type]
      .flat()
      .map((type) => typeWords[type] ?? type)
      .join(' or ')}`;
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.map(String).join(', ')}`;
  if (error.keyword === 'pattern' || error.keyword === 'anyOf') return 'does not have an accepted form';
  const sayLimit = limitWords[error.keyword];
  return sayLimit && 'limit' in error.params ? sayLimit(error.params.limit) : error.message;
};

const problemsOf = (error: TLocalizedValidationError, whole: string): Problem[] => {
  const path = pathOf(error.instancePath);
  const each = (names: readonly string[], sentence: string): Problem[] =>
    names.map((name) => ({ path: at(path, name), message: `${at(path, name)} ${sentence}` }));
  if (error.keyword === 'required') return each(error.params.requiredProperties, 'not specified');
  if (error.keyword === 'additionalProperties')
    return each(error.params.additionalProperties, 'is not known here');
  return [{ path, message: `${path || whole} ${predicate(error)}` }];
};

/** An error inside one branch of a choice says less than "no branch fits", which comes as well. */
const tellsSomethingNew = (error: TLocalizedValidationError): boolean =>
  !error.schemaPath.includes('/anyOf/') && error.keyword !== 'boolean';

export type ProblemFinder = (value: unknown) => Problem[];

/** Prepares a schema once; the result finds everything that is wrong with a value. */
export const problemFinder = (schema: TSchema, whole: string): ProblemFinder => {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return [];
    const problems = validator
      .Errors(value)
      .filter(tellsSomethingNew)
      .flatMap((error) => problemsOf(error, whole));
    return problems.length > 0
      ? problems
      : [{ path: '', message: `${whole} does not have an accepted form` }];
  };
};

/** A choice of types is left as text: which of them is meant cannot be known. */
const fromText = ([type, ...others]: readonly unknown[], given: unknown): unknown => {
  if (typeof given !== 'string' || others.length > 0) return given;
  if (type === 'array') return [given];
  if (type === 'integer' && /^[+-]?\d+$/.test(given)) return Number(given);
  if (type === 'number' && given.trim() !== '' && Number.isFinite(Number(given))) return Number(given);
  if (type === 'boolean' && (given === 'true' || given === '1')) return true;
  if (type === 'boolean' && (given === 'false' || given === '0')) return false;
  return given;
};

const typesOf = (schema: TSchema): unknown[] => {
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(typesOf);
  return ['type' in schema ? schema.type : undefined];
};

export interface Coerced {
  value: Record<string, unknown>;
  problems: Problem[];
}

/** Queries and forms carry text only: gives each field the type the schema asks for, where it can be had. */
export const coerceText = (schema: TObject, fields: Readonly<Record<string, unknown>>): Coerced => {
  const value: Record<string, unknown> = { ...fields };
  const problems: Problem[] = [];
  for (const [name, given] of Object.entries(fields)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (!property) continue;
    const types = typesOf(property);
    if (Array.isArray(given) && !types.includes('array')) {
      problems.push({ path: name, message: `${name} is given more than once` });
      value[name] = fromText(types, given[0]);
    } else {
      value[name] = fromText(types, given);
    }
  }
  return { value, problems };
};
