import { pathParameters, type Route } from '../route.ts';
import type { Schema } from './schema-tree.ts';

/** A value that fits the schema well enough to be edited: required members only, names in place of text. */
function sampleOf(schema: Schema, name: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], name);
  if (schema.properties) {
    const members = schema.required ?? Object.keys(schema.properties).slice(0, 1);
    return Object.fromEntries(members.map((key) => [key, sampleOf(schema.properties?.[key] ?? {}, key)]));
  }
  if (schema.type === 'array') return [sampleOf(schema.items ?? {}, name)];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return schema.type === 'object' ? {} : `<${name}>`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const requiredOf = (schema: Schema | undefined): string[] => [...(schema?.required ?? [])];

function addressOf({ path, query }: Route): string {
  const filled = pathParameters(path).reduce(
    (text, name) => text.replace(`{${name}}`, `<${name}>`),
    path as string,
  );
  const parameters = requiredOf(query).map((name) => `${name}=<${name}>`);
  return `"$ALM_URL${filled}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}"`;
}

function bodyOf({ bodyKind, body, examples }: Route): string[] {
  if (bodyKind === 'none') return [];
  const value = examples?.body ?? sampleOf(body ?? {}, 'body');
  return [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(value, null, 2))}`];
}

/** The request as a command. `$ALM_URL` and `$TOKEN` are set at the beginning of the reference. */
export const curlOf = (route: Route): string =>
  [
    `curl ${route.method === 'GET' ? '' : `-X ${route.method} `}${addressOf(route)}`,
    ...(route.access === 'public' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...requiredOf(route.headers).map((name) => `-H '${name}: <${name}>'`),
    ...bodyOf(route),
  ].join(' \\\n  ');
