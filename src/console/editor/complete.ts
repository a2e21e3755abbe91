import type { CursorPath } from './cursor-in-block.ts';
import { hasType, isObject, type Schema, schemasAt } from './schema.ts';
import type { Format } from './written.ts';

/** A word that may be written at the cursor. */
export interface Word {
  label: string;
  /** Its kind, in a few letters. */
  detail: string;
  about: string;
  /** What is inserted. */
  insert: string;
  isRequired: boolean;
}

const describe = (schemas: readonly Schema[]): string =>
  schemas.map(({ description }) => description).find((text) => text !== undefined) ?? '';

const kindOf = (schemas: readonly Schema[]): string => {
  const words = schemas.flatMap((each) => each.enum ?? []);
  if (words.length > 0) return words.length > 3 ? `${words.slice(0, 3).join(', ')} …` : words.join(' or ');
  const type = schemas.find((each) => each.type !== undefined)?.type;
  return (typeof type === 'string' ? type : type?.[0]) ?? '';
};

const opening = (schemas: readonly Schema[], format: Format): string => {
  const isList = schemas.some((each) => hasType(each, 'array'));
  if (format === 'yaml') return isList || isObject(schemas) ? '' : ' ';
  if (isList) return ' []';
  return isObject(schemas) ? ' {}' : ' ';
};

function nameWords(schema: Schema, { path, siblings }: CursorPath, format: Format): Word[] {
  return schemasAt(schema, path).flatMap((owner) =>
    Object.entries(owner.properties ?? {})
      .filter(([name, member]) => !siblings.includes(name) && !member.deprecated)
      .map(([name, member]): Word => {
        const schemas = schemasAt(member, []);
        const written = format === 'json' ? `"${name}"` : name;
        return {
          label: name,
          detail: kindOf(schemas),
          about: describe(schemas),
          insert: `${written}:${opening(schemas, format)}`,
          isRequired: owner.required?.includes(name) ?? false,
        };
      }),
  );
}

/** Sentences of the schema name the default: "Default true." */
const defaultIn = (text: string): string | null =>
  /\bDefault:? ([^\s:]+?)[.:]?(?:\s|$)/.exec(text)?.[1] ?? null;

const possibleValues = (schemas: readonly Schema[]): string[] => {
  const own = schemas.flatMap((each) => [
    ...(typeof each.const === 'string' ? [each.const] : []),
    ...(each.enum ?? []),
    ...(hasType(each, 'boolean') ? ['true', 'false'] : []),
  ]);
  return [...new Set(own)];
};

const isNumber = (schemas: readonly Schema[]): boolean => schemas.some((each) => hasType(each, 'integer'));

function valueWords(schema: Schema, { path }: CursorPath, format: Format): Word[] {
  const schemas = schemasAt(schema, path);
  const about = describe(schemas);
  const byDefault = defaultIn(about);
  const values = possibleValues(schemas);
  if (byDefault !== null && /^\d+$/.test(byDefault) && isNumber(schemas)) values.unshift(byDefault);
  const isPlain = (value: string): boolean =>
    schemas.some((each) => hasType(each, 'boolean')) || /^\d+$/.test(value);
  return values.map((value) => ({
    label: value,
    detail: value === byDefault ? 'default' : '',
    about,
    insert: format === 'json' && !isPlain(value) ? JSON.stringify(value) : value,
    isRequired: false,
  }));
}

/** Every word that the schema allows at the cursor; required names come first. */
export function wordsAt(schema: Schema, cursor: CursorPath, format: Format): Word[] {
  const below = cursor.kind === 'value' ? schemasAt(schema, cursor.path) : [];
  // YAML: the value of a name may be an object that begins on the next line; nothing is written behind the colon.
  if (cursor.kind === 'value' && isObject(below) && format === 'yaml') return [];
  const words =
    cursor.kind === 'name' ? nameWords(schema, cursor, format) : valueWords(schema, cursor, format);
  return words.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}
