import { isObject } from '../../basics/is-object.ts';
import type { Member, SchemaPart } from './schema-members.ts';

/** Documents that differ from another in one member. */

export type Document = Readonly<Record<string, unknown>>;

/** Values for members that are texts, by the name of the member. Any other text is tried as well. */
export type Samples = Readonly<Record<string, readonly string[]>>;

const anyText = 'another';

function numbers({ minimum = 0, maximum = 0 }: SchemaPart, current: unknown): number[] {
  const now = typeof current === 'number' ? current : minimum;
  // Not the maximum: a thousand servers take long to compile.
  const tried = [now + 1, now - 1, minimum, 1, 2, 5, 20, 443];
  return tried.filter((value) => value >= minimum && value <= maximum);
}

interface Asked {
  schema: SchemaPart;
  current: unknown;
  samples: readonly string[];
}

function valuesFor({ schema, current, samples }: Asked): unknown[] {
  if (schema.anyOf)
    return schema.anyOf.flatMap((variant) => valuesFor({ schema: variant, current, samples }));
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return [...schema.enum];
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer') return numbers(schema, current);
  if (schema.type === 'array') return [[]];
  if (schema.type === 'object') return schema.properties ? [{}] : [{}, { [anyText]: anyText }];
  return [...samples, anyText];
}

type Place = readonly (string | number)[];

const at = (value: unknown, key: string | number): unknown =>
  (value as Readonly<Record<string | number, unknown>>)[key];

/** Where a path leads in a document. */
function placesOf(value: unknown, path: readonly string[], before: Place = []): Place[] {
  const [first, ...rest] = path;
  if (first === undefined) return [before];
  if (first === '*')
    return Array.isArray(value)
      ? value.flatMap((entry: unknown, index) => placesOf(entry, rest, [...before, index]))
      : [];
  if (!isObject(value)) return [];
  return rest.length === 0 ? [[...before, first]] : placesOf(value[first], rest, [...before, first]);
}

/** A copy with another value; undefined removes the member. */
function changed(document: Document, place: Place, value: unknown): Document {
  const copy = structuredClone(document) as Record<string | number, unknown>;
  const parent = place.slice(0, -1).reduce<unknown>(at, copy) as Record<string | number, unknown>;
  const last = place.at(-1) ?? '';
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** All variants of a document in one member, at each place that the member has or could have. */
export function variantsOf(document: Document, { path, schema }: Member, samples: Samples): Document[] {
  const name = path.at(-1) ?? '';
  return placesOf(document, path).flatMap((place) => {
    const current = place.reduce<unknown>(at, document);
    const values = valuesFor({ schema, current, samples: samples[name] ?? [] });
    return [undefined, ...values]
      .filter((value) => JSON.stringify(value) !== JSON.stringify(current))
      .map((value) => changed(document, place, value));
  });
}
