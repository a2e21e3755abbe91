import {
  booleanText,
  documentHead,
  either,
  integerText,
  type Json,
  plainSchema,
  wordText,
} from '../written-parts.ts';
import { responseOnly } from './read-configurations.ts';
import { configuration } from './schema.ts';

/**
 * The schema of a configuration as people write it, for editors: with numbers as text, words in any case, and empty values. The
 * members of databases and caches have their canonical names; the service accepts them in any case.
 */

/** Clears a member, or says nothing about it. */
const empty: Json = { type: ['string', 'null'], maxLength: 0 };

type Write = (schema: Json) => Json;

/** Formats of our own mean nothing to editors. */
const writeString: Write = ({ format, enum: words, ...schema }) =>
  Array.isArray(words)
    ? either({ ...schema, enum: words }, wordText(words as string[]))
    : { ...schema, type: ['string', 'number'], ...(format === 'password' ? { format } : {}) };

function writeObject(schema: Json): Json {
  const required = (schema['required'] ?? []) as string[];
  const members = Object.entries(schema['properties'] as Record<string, Json>).map(([name, member]) => [
    name,
    required.includes(name) ? write(member) : either(write(member), empty),
  ]);
  return { ...schema, properties: Object.fromEntries(members) };
}

const writers: Readonly<Record<string, Write>> = {
  string: writeString,
  integer: (schema) => either(schema, integerText),
  boolean: (schema) => either(schema, booleanText),
  array: ({ items, ...schema }) => ({ ...schema, items: write(items as Json) }),
  object: writeObject,
};

const write = (schema: Json): Json => writers[String(schema['type'])]?.(schema) ?? schema;

const ofReplies = Object.fromEntries(
  [...responseOnly].map((name) => [name, { deprecated: true, description: 'Part of replies. Ignored.' }]),
);

/** `address`: where the schema is served. */
export function writtenSchema(address: string): Json {
  const whole = write(plainSchema(configuration));
  const properties = { ...(whole['properties'] as Json), ...ofReplies };
  return { ...documentHead(address, 'Almanac configuration of API v2'), ...whole, properties };
}
