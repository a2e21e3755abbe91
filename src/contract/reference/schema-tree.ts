import { html, type Markup, nothing, prose } from './markup.ts';

/** What the reference shows of a JSON schema, after the named schemas were replaced by references. */
export interface Schema {
  /** Of a named schema that is shown with its members. */
  name?: string;
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  default?: unknown;
}

const code = (value: unknown): Markup => html`<code>${JSON.stringify(value)}</code>`;

const separated = (parts: readonly Markup[], by: string): Markup =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${by}${part}`))}`;

const referenceTo = (name: string): Markup => html`<a href="/docs/schemas#${name}">${name}</a>`;

export function typeOf(schema: Schema): Markup {
  const name = schema.name ?? schema.$ref?.split('/').at(-1);
  if (name) return referenceTo(name);
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return separated(schema.enum.map(code), ' · ');
  if (schema.anyOf) return separated(schema.anyOf.map(typeOf), ' or ');
  if (schema.type === 'array') return html`array of ${typeOf(schema.items ?? {})}`;
  if (schema.patternProperties)
    return html`object of ${separated(Object.values(schema.patternProperties).map(typeOf), ' or ')}`;
  return html`${schema.type ?? 'any value'}`;
}

const range = (low: number | undefined, high: number | undefined, unit: string): string[] => {
  if (low === undefined && high === undefined) return [];
  if (low === undefined) return [`at most ${high}${unit}`];
  return [high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`];
};

const limitsOf = (schema: Schema): string[] => [
  ...range(schema.minimum, schema.maximum, ''),
  ...range(schema.minLength, schema.maxLength, ' characters'),
  ...(schema.pattern === undefined ? [] : [`matches ${schema.pattern}`]),
  ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
];

/** Schemas whose members are part of this value: its own, those of its items, those of its alternatives. */
const nestedOf = (schema: Schema): Schema[] =>
  [
    schema,
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
    ...Object.values(schema.patternProperties ?? {}),
  ].flatMap((each) => (each === schema ? [each] : nestedOf(each)));

export interface Member {
  name: string;
  schema: Schema;
  required: boolean;
  /** Where it is sent, for parameters. */
  place?: string;
}

function memberItem({ name, schema, required, place }: Member): Markup {
  const facts = [place ?? [], required ? 'required' : [], limitsOf(schema)].flat(2);
  const description = schema.description ? html`<p>${prose(schema.description)}</p>` : nothing;
  const members = memberTree(schema);
  return html`<li><p class="member"><code>${name}</code> <span class="type">${typeOf(schema)}</span>${facts.map(
    (fact) => html` <span class="fact">${fact}</span>`,
  )}</p>${description}${members === nothing ? nothing : html`<details><summary>Members of <code>${name}</code></summary>${members}</details>`}</li>`;
}

export const memberList = (members: readonly Member[]): Markup =>
  members.length === 0 ? nothing : html`<ul class="members">${members.map(memberItem)}</ul>`;

/** The members of everything the value can be, as nested lists. */
export const memberTree = (schema: Schema): Markup =>
  memberList(
    nestedOf(schema).flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([name, each]) => ({
        name,
        schema: each,
        required: required.includes(name),
      })),
    ),
  );
