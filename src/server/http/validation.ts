import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { entryOf } from '../../basics/entry-of.ts';
import type { Problem } from '../../basics/problem.ts';
import { at } from '../../basics/problem.ts';

// The default is 8; callers should get all problems at once.
Settings.Set({ maxErrors: 100 });

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
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
  if (error.keyword === 'pattern' || error.keyword === 'anyOf') return 'has an invalid format';
  const describeLimit = limitWords[error.keyword];
  return describeLimit && 'limit' in error.params ? describeLimit(error.params.limit) : error.message;
};

const problemsOf = (error: TLocalizedValidationError, subject: string): Problem[] => {
  const path = pathOf(error.instancePath);
  const each = (names: readonly string[], sentence: string): Problem[] =>
    names.map((name) => ({ path: at(path, name), message: `${at(path, name)} ${sentence}` }));
  if (error.keyword === 'required') return each(error.params.requiredProperties, 'not specified');
  if (error.keyword === 'additionalProperties') return each(error.params.additionalProperties, 'is unknown');
  return [{ path, message: `${path || subject} ${predicate(error)}` }];
};

/** Errors inside one branch of a union are less useful than "no branch matches", which is reported as well. */
const isRelevant = (error: TLocalizedValidationError): boolean =>
  !error.schemaPath.includes('/anyOf/') && error.keyword !== 'boolean';

export type ProblemFinder = (value: unknown) => Problem[];

/** Compiles a schema once, when it is first needed: most routes are never called. The result finds all problems of a value. */
export const problemFinder = (schema: TSchema, subject: string): ProblemFinder => {
  let validator: ReturnType<typeof Compile> | undefined;
  return (value) => {
    validator ??= Compile(schema);
    if (validator.Check(value)) return [];
    const problems = validator
      .Errors(value)
      .filter(isRelevant)
      .flatMap((error) => problemsOf(error, subject));
    return problems.length > 0 ? problems : [{ path: '', message: `${subject} has an invalid format` }];
  };
};

/** Values of a union type stay strings, because the intended type is unknown. */
const fromText = ([type, ...others]: readonly unknown[], value: unknown): unknown => {
  if (typeof value !== 'string' || others.length > 0) return value;
  if (type === 'array') return [value];
  // A greater integer loses digits, and databases refuse it.
  if (type === 'integer' && /^[+-]?\d+$/.test(value) && Number.isSafeInteger(Number(value)))
    return Number(value);
  if (type === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === '1')) return true;
  if (type === 'boolean' && (value === 'false' || value === '0')) return false;
  return value;
};

const typesOf = (schema: TSchema): unknown[] => {
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(typesOf);
  return ['type' in schema ? schema.type : undefined];
};

interface Coerced {
  value: Record<string, unknown>;
  problems: Problem[];
}

/** Converts the strings of queries and forms to the types of the schema, where possible. */
export const coerceText = (schema: TObject, fields: Readonly<Record<string, unknown>>): Coerced => {
  const value: Record<string, unknown> = { ...fields };
  const problems: Problem[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const property = entryOf(schema.properties, name);
    if (!property) continue;
    const types = typesOf(property);
    if (Array.isArray(field) && !types.includes('array')) {
      problems.push({ path: name, message: `${name} is set more than once` });
      value[name] = fromText(types, field[0]);
    } else {
      value[name] = fromText(types, field);
    }
  }
  return { value, problems };
};
