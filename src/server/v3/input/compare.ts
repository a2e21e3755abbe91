import type { Static } from 'typebox';
import { Failure } from '../../../basics/failure.ts';
import { isObject } from '../../../basics/is-object.ts';
import { at } from '../../../basics/problem.ts';
import type { compareTemplates as compareRoute } from '../../../contract/v3/versions.ts';
import type { Comparison } from '../../../operations/stacks/read/compare-templates.ts';
import type { StoredTemplate } from '../../../operations/stacks/read/read-versions.ts';
import { refuseUnreadable } from '../../http/readable-text.ts';

type Fields = Static<(typeof compareRoute)['body']>;

const idForm = '[{"<stack_id>": {"version": "<version_id>"}}, …]';

const reject = (message: string, description: string, path: string): never => {
  throw new Failure('invalid_request', message, { description, problems: [{ path, message }] });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readId = (entry: unknown, index: number): StoredTemplate => {
  const [first, ...others] = isObject(entry) ? Object.entries(entry) : [];
  const [stackId, selection] = first ?? [];
  const version = isObject(selection) ? (selection['version'] ?? '') : undefined;
  if (stackId !== undefined && others.length === 0 && typeof version === 'string')
    return { stackId, version };
  const path = at('id', index);
  return reject(
    `${path} must have exactly one member: a stack id with its version`,
    `Format: ${idForm}.`,
    path,
  );
};

/** In a form, a value is the JSON string of the whole array or of one entry. */
const readIds = (entries: readonly unknown[]): StoredTemplate[] => {
  const id = entries.flatMap((entry) => (typeof entry === 'string' ? parsed(entry) : entry));
  refuseUnreadable({ id });
  return id.map(readId);
};

/** In a form, a value may be the JSON string of the array. A template is never an array, so this is unambiguous. */
const readTexts = (entries: readonly string[]): string[] =>
  entries.flatMap((entry) => {
    const list = entry.trimStart().startsWith('[') ? parsed(entry) : undefined;
    return Array.isArray(list) && list.every((text) => typeof text === 'string') ? list : entry;
  });

/** Parses the two templates to compare. Rejects any other number of templates. */
export function readComparison(fields: Fields): Comparison {
  const [source, second, ...moreIds] = readIds(fields.id ?? []);
  const [text, ...moreTexts] = readTexts(fields.body ?? []);
  if (!source) return reject('id not specified', `The source must be in id: ${idForm}.`, 'id');
  if (moreIds.length > 0 || moreTexts.length > 0 || (second && text !== undefined))
    return reject(
      'only two templates can be compared',
      'Set one entry in id and either a second entry in id or one entry in body.',
      moreIds.length > 0 ? 'id' : 'body',
    );
  if (second) return { source, target: second };
  if (text !== undefined) return { source, target: { text } };
  return reject(
    'the target is not specified',
    'Set a second entry in id, or the text of a template in body.',
    'body',
  );
}
