import { Failure } from '../../../basics/failure.ts';
import { isObject } from '../../../basics/is-object.ts';
import type { DocumentBody } from '../../../contract/route.ts';
import { readTemplateText } from '../../../operations/stacks/submit/read-template.ts';

const looksLikeTemplate = (value: Readonly<Record<string, unknown>>): boolean =>
  ['configurations', 'vendor', 'version'].some((member) => member in value);

/** The body may be the template, its text as a JSON string, or either of them wrapped as `template`. */
export function readTemplateBody({ text, format }: DocumentBody): unknown {
  if (text.trim() === '') throw new Failure('empty_template', 'The template is empty');
  const value = readTemplateText(text, format);
  if (typeof value === 'string') return readTemplateText(value);
  if (!isObject(value) || looksLikeTemplate(value) || !('template' in value)) return value;
  return typeof value['template'] === 'string' ? readTemplateText(value['template']) : value['template'];
}
