import type { TSchema } from 'typebox';
import { accessOf } from './access-words.ts';
import { gatewayRoutes } from './gateway.ts';
import { operationalRoutes } from './operational.ts';
import type { Route } from './route.ts';
import { v2Routes } from './v2.ts';
import { v3Routes } from './v3.ts';

/** Generates docs/api.md from the route tables the server serves. */

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

function typeOf(schema: TSchema): string {
  const facts = schema as SchemaFacts;
  if (facts.enum) return facts.enum.map((value) => `\`${value}\``).join(', ');
  if (facts.const !== undefined) return `\`${JSON.stringify(facts.const)}\``;
  if (facts.anyOf) return facts.anyOf.map(typeOf).join(' or ');
  if (facts.type === 'array') return `array of ${typeOf(facts.items ?? {})}`;
  return facts.$id ?? facts.type ?? 'any';
}

const cell = (text = ''): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function rowsOf(place: string, schema: TSchema | undefined): string[] {
  const { properties = {}, required = [] } = (schema ?? {}) as SchemaFacts;
  return Object.entries(properties).map(([name, property]) => {
    const isRequired = required.includes(name) ? 'yes' : 'no';
    return `| \`${name}\` | ${place} | ${cell(typeOf(property))} | ${isRequired} | ${cell(property.description)} |`;
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
    : ['| Name | In | Type | Required | Description |', '|---|---|---|---|---|', ...table, ''];
}

const bodyNotes: Readonly<Record<Route['bodyKind'], string[]>> = {
  none: [],
  fields: ['Request body: JSON or form-encoded.', ''],
  document: ['Request body: the template, as JSON or YAML.', ''],
};

const repliesOf = (route: Route): string[] =>
  Object.entries(route.replies).map(([status, { description, schema, contentType }]) => {
    const type = schema ? typeOf(schema) : [contentType ?? []].flat().join(', ');
    return `- **${status}**${type ? `: ${type}` : ''}. ${description}`;
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
  ...exampleOf('Example request', route.examples?.body),
  ...exampleOf('Example response', route.examples?.reply),
  '',
];

const chapterOf = (title: string, routes: readonly Route[]): string[] => [
  `## ${title}`,
  '',
  ...routes.flatMap(sectionOf),
];

export const apiPage = (): string =>
  [
    '# API reference',
    '',
    'Generated from the route tables in `src/contract` by `npm run docs`; do not edit.',
    'A running server serves the same reference with all schemas at `/docs` and `/openapi.json`.',
    '',
    ...chapterOf('v3', v3Routes),
    ...chapterOf('v2', v2Routes),
    ...chapterOf('SSH gateway', gatewayRoutes),
    ...chapterOf('Operation', operationalRoutes),
  ].join('\n');
