import type { Static, TObject } from 'typebox';
import { isObject } from '../../basics/is-object.ts';
import { at, type Outcome, reject, succeed } from '../../basics/problem.ts';
import { parseJson } from '../parse-json.ts';
import { findForeignValue, type Members } from '../plain-values.ts';
import { readBySchema } from '../read-by-schema.ts';
import type { Report } from '../report.ts';
import { putSecretsBack, setSecretsAside } from './secrets.ts';

/** The members of an object that may also be sent as its JSON text; nothing at all has no members. */
export const readMembers = (value: unknown, path: string): Outcome<Members> => {
  if (value === undefined || value === null || value === '') return succeed({});
  const parsed = typeof value === 'string' ? parseJson(value, path) : succeed(value);
  if (!parsed.ok) return parsed;
  const foreign = findForeignValue(parsed.value);
  if (foreign) return reject([{ ...foreign, path: at(path, foreign.path) }]);
  if (isObject(parsed.value)) return succeed(parsed.value);
  return reject([{ path, message: 'must be an object, or the JSON text of one.' }]);
};

/** What a request says: values as their schema has them, null for what it clears, undefined for what it leaves. */
export type Sent<T> = { [Name in keyof T]?: T[Name] | null | undefined };

export const readSent = <T extends TObject>(
  schema: T,
  members: Members,
  report: Report,
  path = '',
): Sent<Static<T>> => {
  const { members: shown, texts } = setSecretsAside(members);
  const read = readBySchema(schema, shown, report, path);
  const cleared = Object.keys(schema.properties).filter((name) => members[name] === null);
  const nulls = Object.fromEntries(cleared.map((name) => [name, null]));
  return { ...nulls, ...putSecretsBack<object>(read ?? {}, texts) } as Sent<Static<T>>;
};
