/** Parts of the JSON schemas for editors: the spellings that are resolved before a document is checked. */

export type Json = Readonly<Record<string, unknown>>;

/** JSON schema has no flag for it. */
const anyCase = (word: string): string =>
  word.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

const text = (pattern: string): Json => ({ type: 'string', pattern });

/** One of the words, in any case. */
export const wordText = (words: readonly string[]): Json =>
  text(`^\\s*(${words.map((word) => anyCase(word.replaceAll(/[^\w-]/g, String.raw`\$&`))).join('|')})\\s*$`);

/** A number as text. */
export const integerText: Json = text('^\\s*-?\\d{1,16}\\s*$');

export const booleanText: Json = wordText(['true', 'false']);

/** The description stays outside, where editors look for it. */
export const either = ({ description, ...schema }: Json, ...others: Json[]): Json => ({
  ...(description === undefined ? {} : { description }),
  anyOf: [schema, ...others],
});

/** The members that every schema of a document begins with. `address`: where it is served. */
export const documentHead = (address: string, title: string): Json => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: address,
  title,
});

/** A copy with nothing but JSON. */
export const plainSchema = (schema: object): Json => JSON.parse(JSON.stringify(schema)) as Json;
