import { Failure } from '../../../basics/failure.ts';
import { parseTemplate } from '../../../languages/v3-template/parse.ts';
import { refuseDocument } from './refuse-document.ts';

/** Detects the format of a template by its first character. */
export const detectFormat = (text: string): 'json' | 'yaml' => (/^\s*[{["]/.test(text) ? 'json' : 'yaml');

/** Parses template text, or refuses it with all its problems. */
export function readTemplateText(text: string, format: 'json' | 'yaml' = detectFormat(text)): unknown {
  if (text.trim() === '') throw new Failure('empty_template', 'The template is empty');
  const parsed = parseTemplate(text, format);
  return parsed.ok ? parsed.value : refuseDocument(parsed.problems);
}
