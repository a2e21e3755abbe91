/** What made patterns, paths and parsers slow, repeated to any length. Each ends with something that does not match. */
const units: readonly [string, string][] = [
  ['white space', ' '],
  ['lines', '\n'],
  ['slashes', '/'],
  ['quotes', '"'],
  ['brackets', '['],
  ['digits', '1'],
  ['letters', 'a'],
  ['references', '${a.'],
  ['colons', ':@'],
  ['percent signs', '%'],
];

export const hostileTexts = (length: number): [string, string][] =>
  units.map(([name, unit]) => [name, `A${unit.repeat(Math.floor((length - 2) / unit.length))}!`]);

/** What builds, walks or checks values recursively, or compares each member with all others, is slow or fails with these. */
export const hostileBodies: readonly [string, string][] = [
  ['100,000 nested lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['100,000 nested objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['100,000 open lists', '['.repeat(100_000)],
  ['100,000 members', `{${Array.from({ length: 100_000 }, (_, i) => `"${i.toString(36)}":0`).join()}}`],
];

/** The part of JSON schema that contracts use. */
interface Shape {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Shape[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
  minItems?: number;
  minimum?: number;
}

const sampleOf = (shape: Shape): unknown => {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.anyOf?.[0]) return sampleOf(shape.anyOf[0]);
  if (shape.type === 'array') return shape.items && shape.minItems ? [sampleOf(shape.items)] : [];
  if (shape.type === 'object')
    return Object.fromEntries(
      (shape.required ?? []).map((name) => [name, sampleOf(shape.properties?.[name] ?? {})]),
    );
  const scalars: Record<string, unknown> = { integer: shape.minimum ?? 1, number: 1, boolean: true };
  return scalars[shape.type ?? ''] ?? 'sample01';
};

const isObjectShape = (shape: Shape): boolean => shape.type === 'object' && shape.properties !== undefined;

/** The paths of all members, also of those inside others. */
export const membersOf = (shape: Shape = {}): string[][] => {
  const found = new Map<string, string[]>();
  for (const { properties = {} } of [shape, ...(shape.anyOf ?? [])].filter(isObjectShape))
    for (const [name, member] of Object.entries(properties))
      for (const inside of [[], ...membersOf(member)])
        found.set([name, ...inside].join('/'), [name, ...inside]);
  return [...found.values()];
};

type Members = Record<string, unknown>;

const asMembers = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

const withValue = (value: unknown, [name, ...rest]: readonly string[], hostile: unknown): unknown => {
  if (name === undefined) return hostile;
  const members = asMembers(value);
  return { ...members, [name]: withValue(members[name], rest, hostile) };
};

/** A plausible body, in which one member has the hostile value. */
export const bodyWith = (shape: Shape | undefined, path: readonly string[], hostile: unknown): unknown =>
  withValue(sampleOf(shape ?? {}), path, hostile);
