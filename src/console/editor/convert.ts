import { yamlLanguage } from '@codemirror/lang-yaml';
import { writeJson, writeYaml } from './write-yaml.ts';
import type { Format } from './written.ts';

/** Reads a template as the service does. The YAML reader is loaded when it is needed. */
export async function readTemplate(text: string, format: Format): Promise<unknown> {
  if (format === 'json') return JSON.parse(text);
  const { parse } = await import('yaml');
  return parse(text);
}

export const writeTemplate = (value: unknown, format: Format): string =>
  format === 'json' ? writeJson(value) : writeYaml(value);

/** JSON has no comments: they would be lost. */
export function hasComments(text: string): boolean {
  let found = false;
  yamlLanguage.parser.parse(text).iterate({
    enter: ({ name }) => {
      found ||= name === 'Comment';
    },
  });
  return found;
}

export const formatOf = (text: string): Format => (/^\s*[{[]/.test(text) ? 'json' : 'yaml');
