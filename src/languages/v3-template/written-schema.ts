import { at } from '../../basics/problem.ts';
import {
  booleanText,
  documentHead,
  either,
  integerText,
  type Json,
  plainSchema,
  wordText,
} from '../written-parts.ts';
import { aliasesAt } from './aliases.ts';
import { template } from './schema.ts';

/**
 * The schema of a template as people write it, for editors: with the aliases, functions and spellings that are resolved before a
 * document is checked. Accepts everything that the service accepts, except members written as null.
 */

const placeholder = { $ref: '#/$defs/function' };
const definitions = {
  function: {
    description: 'Takes the value from another layer: ${use(Flag.member)} or ${copy(Flag.member)}.',
    type: 'string',
    pattern: '\\$\\{(use|copy)\\(.+\\)\\}',
  },
};

type Write = (schema: Json, position: string) => Json;

/** Formats of our own mean nothing to editors. */
const writeString: Write = ({ format, enum: words, ...schema }) =>
  Array.isArray(words)
    ? either({ ...schema, enum: words }, wordText(words as string[]), placeholder)
    : { ...schema, type: ['string', 'number'], ...(format === 'password' ? { format } : {}) };

const writeInteger: Write = (schema) => either(schema, integerText, placeholder);

const writeBoolean: Write = (schema) => either(schema, booleanText, placeholder);

const writeList: Write = ({ items, ...schema }, position) =>
  either({ ...schema, items: write(items as Json, at(position, '*')) }, placeholder);

/** A required member may have any of its names. */
function writeMembers(schema: Json, position: string): Json {
  const properties = Object.entries(schema['properties'] as Record<string, Json>);
  const required = (schema['required'] ?? []) as string[];
  const aliases = Object.entries(aliasesAt(position));
  const namesOf = (name: string) => [
    name,
    ...aliases.filter(([, current]) => current === name).map(([old]) => old),
  ];
  const written = new Map(properties.map(([name, member]) => [name, write(member, at(position, name))]));
  const old = aliases.map(([name, current]) => [
    name,
    { ...written.get(current), deprecated: true, description: `Older name of \`${current}\`.` },
  ]);
  const renamed = required.filter((name) => namesOf(name).length > 1);
  return {
    ...schema,
    properties: { ...Object.fromEntries(written), ...Object.fromEntries(old) },
    required: required.filter((name) => !renamed.includes(name)),
    ...(renamed.length > 0
      ? { allOf: renamed.map((name) => ({ anyOf: namesOf(name).map((one) => ({ required: [one] })) })) }
      : {}),
  };
}

const writeObject: Write = (schema, position) => {
  const values = Object.entries((schema['patternProperties'] ?? {}) as Record<string, Json>);
  if (!schema['properties'] && values.length === 0) return schema;
  const { patternProperties: _, propertyNames: __, ...rest } = schema;
  const whole = schema['properties']
    ? writeMembers(schema, position)
    : { ...rest, additionalProperties: write(values[0]?.[1] ?? {}, at(position, '*')) };
  // A template and a layer are never copied as a whole.
  return position === '' || position === 'configurations/*' ? whole : either(whole, placeholder);
};

const writers: Readonly<Record<string, Write>> = {
  string: writeString,
  integer: writeInteger,
  boolean: writeBoolean,
  array: writeList,
  object: writeObject,
};

function write(schema: Json, position: string): Json {
  if (Array.isArray(schema['anyOf']))
    return { ...schema, anyOf: (schema['anyOf'] as Json[]).map((branch) => write(branch, position)) };
  if ('const' in schema) return schema;
  return writers[String(schema['type'])]?.(schema, position) ?? schema;
}

/** `address`: where the schema is served. */
export const writtenSchema = (address: string): Json => ({
  ...documentHead(address, 'Almanac template'),
  ...write(plainSchema(template), ''),
  $defs: definitions,
});
