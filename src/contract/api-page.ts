import type { TSchema } from 'typebox';
import { gatewayRoutes } from './gateway.ts';
import { operationalRoutes } from './operational.ts';
import type { Route } from './route.ts';
import { v2Routes } from './v2.ts';
import { v3Routes } from './v3.ts';

/** docs/api.md, from the same tables the server serves. */

interface SchemaFacts {
  $id?: string;
  type?: string;
  enum?: readonly string[];
  const?: unknown;
  anyOf?: readonly TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema & { description?: string }>;
  required?: readonly string[];
}

const accessWords = {
  public: 'anyone, no token',
  agent: "a stack's own token, an API client's or a user's",
  self: 'any signed-in user',
  master: 'the master account',
} as const;

const accessOf = ({ access }: Route): string =>
  typeof access === 'string' ? accessWords[access] : `roles that allow \`${access.action}\``;

function typeOf(schema: TSchema): string {
  const facts = schema as SchemaFacts;
  if (facts.enum) return facts.enum.map((value) => `\`${value}\``).join(', ');
  if (facts.const !== undefined) return `\`${JSON.stringify(facts.const)}\``;
  if (facts.anyOf) return facts.anyOf.map(typeOf).join(' or ');
  if (facts.type === 'array') return `list of ${typeOf(facts.items ?? {})}`;
  return facts.$id ?? facts.type ?? 'any';
}

const cell = (text = ''): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function rowsOf(place: string, schema: TSchema | undefined): string[] {
  const { properties = {}, required = [] } = (schema ?? {}) as SchemaFacts;
  return Object.entries(properties).map(([name, property]) => {
    const needed = required.includes(name) ? 'yes' : 'no';
    return `| \`${name}\` | ${place} | ${cell(typeOf(property))} | ${needed} | ${cell(property.description)} |`;
  });
}

function inputsOf(route: Route): string[] {
  const table = [
    ...rowsOf('path', route.params),
    ...rowsOf('query', route.query),
    ...rowsOf('header', route.headers),
    ...(route.bodyKind === 'fields' ? rowsOf('body', route.body) : []),
  ];
  return table.length === 0
    ? []
    : ['| Name | In | Type | Required | |', '|---|---|---|---|---|', ...table, ''];
}

const bodyNotes: Readonly<Record<Route['bodyKind'], string[]>> = {
  none: [],
  fields: ['The body is JSON or form-encoded.', ''],
  document: ['The body is the template itself, as JSON or YAML.', ''],
};

const repliesOf = (route: Route): string[] =>
  Object.entries(route.replies).map(([status, { description, schema, contentType }]) => {
    const what = schema ? typeOf(schema) : (contentType ?? '');
    return `- **${status}**${what ? `: ${what}` : ''}. ${description}`;
  });

const exampleOf = (title: string, value: unknown): string[] =>
  value === undefined ? [] : ['', `${title}:`, '', '```json', JSON.stringify(value, null, 2), '```'];

const sectionOf = (route: Route): string[] => [
  `### ${route.summary}`,
  '',
  `\`${route.method} ${route.path}\` — ${accessOf(route)}`,
  '',
  ...(route.description ? [route.description, ''] : []),
  ...inputsOf(route),
  ...bodyNotes[route.bodyKind],
  ...repliesOf(route),
  ...exampleOf('Example body', route.examples?.body),
  ...exampleOf('Example reply', route.examples?.reply),
  '',
];

const chapterOf = (title: string, routes: readonly Route[]): string[] => [
  `## ${title}`,
  '',
  ...routes.flatMap(sectionOf),
];

export const apiPage = (): string =>
  [
    '# Interface',
    '',
    'Written from the route tables in `src/contract` by `npm run docs`; do not edit.',
    'A running server shows the same with every schema at `/docs` and `/openapi.json`.',
    '',
    ...chapterOf('v3', v3Routes),
    ...chapterOf('v2', v2Routes),
    ...chapterOf('ssh gateway', gatewayRoutes),
    ...chapterOf('Operation', operationalRoutes),
  ].join('\n');
