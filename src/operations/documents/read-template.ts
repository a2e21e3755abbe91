import { Failure } from '../../basics/failure.ts';
import { isObject } from '../../basics/is-object.ts';
import { parseTemplate } from '../../languages/v3-template/parse.ts';
import { refuseDocument } from './refuse-document.ts';

/** A template as the caller sent it. */
export interface TemplateText {
  text: string;
  format: 'json' | 'yaml';
}

/** Detects the format of a template by its first character. */
export const detectFormat = (text: string): TemplateText['format'] =>
  /^\s*[{["]/.test(text) ? 'json' : 'yaml';

/** Parses template text, or refuses it with all its problems. */
function readText(text: string, format = detectFormat(text)): unknown {
  if (text.trim() === '') throw new Failure('empty_template', 'The template is empty');
  const parsed = parseTemplate(text, format);
  return parsed.ok ? parsed.value : refuseDocument(parsed.problems);
}

const looksLikeTemplate = (value: Readonly<Record<string, unknown>>): boolean =>
  ['configurations', 'vendor', 'version'].some((member) => member in value);

/** The body may be the template, its text as a JSON string, or either of them wrapped as `template`. */
export function readTemplateBody({ text, format }: TemplateText): unknown {
  const value = readText(text, format);
  if (typeof value === 'string') return readText(value);
  if (!isObject(value) || looksLikeTemplate(value) || !('template' in value)) return value;
  return typeof value['template'] === 'string' ? readText(value['template']) : value['template'];
}
