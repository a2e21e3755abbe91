import { Failure } from '../../../basics/failure.ts';
import { parseTemplate } from '../../../languages/v3-template/parse.ts';
import { refuseDocument } from './refuse-document.ts';

/** Template text to a value; without a format, JSON when it starts like JSON. */
export function readTemplateText(text: string, format?: 'json' | 'yaml'): unknown {
  if (text.trim() === '') throw new Failure('empty_template', 'The template is empty');
  const parsed = parseTemplate(text, format ?? (/^\s*[{["]/.test(text) ? 'json' : 'yaml'));
  return parsed.ok ? parsed.value : refuseDocument(parsed.problems);
}
