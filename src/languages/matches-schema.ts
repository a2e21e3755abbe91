import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Check } from 'typebox/value';

/** Null: used once. */
const validators = new WeakMap<TSchema, Validator | null>();

/** Compiling a schema takes as long as a hundred checks without it, so it waits for the second check. */
export function matchesSchema(schema: TSchema, value: unknown): boolean {
  const known = validators.get(schema);
  if (known) return known.Check(value);
  const validator = known === null ? Compile(schema) : null;
  validators.set(schema, validator);
  return validator ? validator.Check(value) : Check(schema, value);
}
