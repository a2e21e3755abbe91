// Writes docs/api.md from the route tables. Needs a build first: `npm run build && node scripts/write-api-docs.mjs`.
// With `--check` it writes nothing and fails when the file is not what the tables say.
import { readFile, writeFile } from 'node:fs/promises';
import { operationalRoutes } from '../dist/contract/operational.js';
import { v2Routes } from '../dist/contract/v2.js';
import { v3Routes } from '../dist/contract/v3.js';

const target = new URL('../docs/api.md', import.meta.url);

const access = (route) => {
  const words = {
    public: 'anyone, no token',
    agent: "a stack's own token, or an API client's",
    self: 'any signed-in user',
    master: 'the master account',
  };
  return typeof route.access === 'string'
    ? words[route.access]
    : `roles that allow \`${route.access.action}\``;
};

const typeOf = (schema) => {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  return schema.$id ?? schema.type ?? 'any';
};

const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');

const rows = (place, schema) =>
  Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const required = (schema.required ?? []).includes(name) ? 'yes' : 'no';
    return `| \`${name}\` | ${place} | ${cell(typeOf(property))} | ${required} | ${cell(property.description)} |`;
  });

const inputs = (route) => {
  const table = [
    ...rows('path', route.params),
    ...rows('query', route.query),
    ...rows('header', route.headers),
    ...(route.bodyKind === 'fields' ? rows('body', route.body) : []),
  ];
  if (table.length === 0) return [];
  return ['| Name | In | Type | Required | |', '|---|---|---|---|---|', ...table, ''];
};

const bodyNote = (route) => {
  if (route.bodyKind === 'fields') return ['The body is JSON or form-encoded.', ''];
  if (route.bodyKind === 'document') return ['The body is the template itself, as JSON or YAML.', ''];
  return [];
};

const replies = (route) =>
  Object.entries(route.replies).map(([status, { description, schema, contentType }]) => {
    const what = schema ? `: ${typeOf(schema)}` : contentType ? `: ${contentType}` : '';
    return `- **${status}**${what}. ${description}`;
  });

const example = (title, value) =>
  value === undefined ? [] : ['', `${title}:`, '', '```json', JSON.stringify(value, null, 2), '```'];

const section = (route) => [
  `### ${route.summary}`,
  '',
  `\`${route.method} ${route.path}\` — ${access(route)}`,
  '',
  ...(route.description ? [route.description, ''] : []),
  ...inputs(route),
  ...bodyNote(route),
  ...replies(route),
  ...example('Example body', route.examples?.body),
  ...example('Example reply', route.examples?.reply),
  '',
];

const chapter = (title, routes) => [`## ${title}`, '', ...routes.flatMap(section)];

const text = [
  '# Interface',
  '',
  'Written from the route tables in `src/contract` by `scripts/write-api-docs.mjs`; do not edit.',
  'A running server shows the same with every schema at `/docs` and `/openapi.json`.',
  '',
  ...chapter('v3', v3Routes),
  ...chapter('v2', v2Routes),
  ...chapter('Operation', operationalRoutes),
].join('\n');

if (process.argv.includes('--check')) {
  const current = await readFile(target, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('docs/api.md is not what the route tables say: run node scripts/write-api-docs.mjs');
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
}
