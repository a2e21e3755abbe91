import type { Static } from 'typebox';
import { Failure } from '../../../basics/failure.ts';
import { isObject } from '../../../basics/is-object.ts';
import { at } from '../../../basics/problem.ts';
import type { compareTemplates as compareRoute } from '../../../contract/v3/versions.ts';
import type { Comparison } from '../../../operations/stacks/read/compare-templates.ts';
import type { StoredTemplate } from '../../../operations/stacks/read/read-versions.ts';

type Fields = Static<(typeof compareRoute)['body']>;

const idForm = '[{"<stack_id>": {"version": "<version_id>"}}, …]';

const refuse = (message: string, description: string, path: string): never => {
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
  const [named, ...others] = isObject(entry) ? Object.entries(entry) : [];
  const [stackId, chosen] = named ?? [];
  const version = isObject(chosen) ? (chosen['version'] ?? '') : undefined;
  if (stackId !== undefined && others.length === 0 && typeof version === 'string')
    return { stackId, version };
  const path = at('id', index);
  return refuse(`${path} must have one member: a stack id with its version`, `Write ${idForm}.`, path);
};

/** A form carries the whole list, or one entry of it, as JSON text. */
const readIds = (entries: readonly unknown[]): StoredTemplate[] =>
  entries.flatMap((entry) => (typeof entry === 'string' ? parsed(entry) : entry)).map(readId);

/** A form carries the list as JSON text; a template is never a list, so the two cannot be confused. */
const readTexts = (entries: readonly string[]): string[] =>
  entries.flatMap((entry) => {
    const list = entry.trimStart().startsWith('[') ? parsed(entry) : undefined;
    return Array.isArray(list) && list.every((text) => typeof text === 'string') ? list : entry;
  });

/** The two templates a comparison names; anything but exactly two is refused. */
export function readComparison(fields: Fields): Comparison {
  const [source, second, ...moreIds] = readIds(fields.id ?? []);
  const [text, ...moreTexts] = readTexts(fields.body ?? []);
  if (!source) return refuse('id not specified', `The source is always taken from id: ${idForm}.`, 'id');
  if (moreIds.length > 0 || moreTexts.length > 0 || (second && text !== undefined))
    return refuse(
      'only two templates can be compared',
      'Give one entry in id and either a second one there or one entry in body.',
      moreIds.length > 0 ? 'id' : 'body',
    );
  if (second) return { source, target: second };
  if (text !== undefined) return { source, target: { text } };
  return refuse(
    'the target is not specified',
    'Give a second entry in id, or the text of a template in body.',
    'body',
  );
}
