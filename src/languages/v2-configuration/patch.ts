import type { Static, TObject } from 'typebox';
import { isObject } from '../../basics/is-object.ts';
import { at, type Outcome, reject, succeed } from '../../basics/problem.ts';
import { parseJson } from '../parse-json.ts';
import { findNonJsonValue, type Members } from '../plain-values.ts';
import { readBySchema } from '../read-by-schema.ts';
import type { Location } from '../report.ts';
import { extractSecrets, restoreSecrets } from './secrets.ts';

/** Reads the members of an object that may also be sent as its JSON text; an absent value has none. */
export const readMembers = (value: unknown, path: string): Outcome<Members> => {
  if (value === undefined || value === null || value === '') return succeed({});
  const parsed = typeof value === 'string' ? parseJson(value, path) : succeed(value);
  if (!parsed.ok) return parsed;
  const problem = findNonJsonValue(parsed.value);
  if (problem) return reject([{ ...problem, path: at(path, problem.path) }]);
  if (isObject(parsed.value)) return succeed(parsed.value);
  return reject([{ path, message: 'must be an object, or its JSON text.' }]);
};

/** Changes in a request: a value sets, null clears, undefined leaves unchanged. */
export type Patch<T> = { [Name in keyof T]?: T[Name] | null | undefined };

export const readPatch = <T extends TObject>(
  schema: T,
  members: Members,
  location: Location,
): Patch<Static<T>> => {
  const { members: withoutSecrets, texts } = extractSecrets(members);
  const read = readBySchema(schema, withoutSecrets, location);
  const cleared = Object.keys(schema.properties).filter((name) => members[name] === null);
  const nulls = Object.fromEntries(cleared.map((name) => [name, null]));
  return { ...nulls, ...restoreSecrets<object>(read ?? {}, texts) } as Patch<Static<T>>;
};
