/** The members that a schema of a language allows. */

/** The parts of a JSON schema that the languages use. */
export interface SchemaPart {
  type?: string;
  properties?: Readonly<Record<string, SchemaPart>>;
  items?: SchemaPart;
  anyOf?: readonly SchemaPart[];
  enum?: readonly string[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  description?: string;
}

export interface Member {
  /** `*` stands for every entry of a list. */
  path: readonly string[];
  schema: SchemaPart;
}

export const pathText = (path: readonly string[]): string => path.join('/');

const withMembers = (path: readonly string[], schema: SchemaPart): Member[] => [
  { path, schema },
  ...membersOf(schema, path),
];

/** All members, parents before children. */
export function membersOf(schema: SchemaPart, path: readonly string[] = []): Member[] {
  const { properties = {}, items, anyOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, member]) => withMembers(path.concat(name), member)),
    ...(items ? membersOf(items, [...path, '*']) : []),
    ...anyOf.flatMap((variant) => membersOf(variant, path)),
  ];
}
