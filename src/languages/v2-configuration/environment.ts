import { isObject } from '../../basics/is-object.ts';
import { at } from '../../basics/problem.ts';
import { variableNameProblem } from '../formats.ts';
import { parseJson } from '../parse-json.ts';
import { readText } from '../read-scalar.ts';
import type { Report } from '../report.ts';
import type { Server } from './schema.ts';

interface Variable {
  name: string;
  value: unknown;
  path: string;
}

const expectedShape =
  'must be an object of names and values, or a list of {"name": …, "value": …} or of "NAME=value".';

const fromText = (text: string, path: string): Variable | null => {
  const equals = text.indexOf('=');
  return equals === -1 ? null : { name: text.slice(0, equals), value: text.slice(equals + 1), path };
};

/** `{name, value}`, `{key, value}` or `{NAME: value}`. A lone `name` or `key` is more likely missing its value. */
const fromEntry = (entry: unknown, path: string): Variable | null => {
  if (typeof entry === 'string') return fromText(entry, path);
  if (!isObject(entry)) return null;
  const { name, key, value, ...others } = entry;
  const label = name ?? key;
  if (typeof label === 'string' && Object.keys(entry).length === 2 && value !== undefined)
    return { name: label, value, path };
  const [only, ...more] = Object.entries(others);
  return only && more.length === 0 && Object.keys(entry).length === 1
    ? { name: only[0], value: only[1], path }
    : null;
};

const fromList = (list: readonly unknown[], path: string, report: Report): readonly Variable[] => {
  const variables = list.map((entry, index) => fromEntry(entry, at(path, index)));
  for (const [index, variable] of variables.entries())
    if (!variable) report(at(path, index), 'must be {"name": …, "value": …}, {"NAME": …} or "NAME=value".');
  return variables.filter((variable) => variable !== null);
};

const variablesIn = (value: unknown, path: string, report: Report): readonly Variable[] => {
  if (Array.isArray(value)) return fromList(value, path, report);
  if (isObject(value))
    return Object.entries(value).map(([name, member]) => ({ name, value: member, path: at(path, name) }));
  report(path, expectedShape);
  return [];
};

/** Form requests can contain lists and objects only as JSON text. */
const unwrapped = (value: unknown): unknown => {
  const parsed = typeof value === 'string' ? parseJson(value) : null;
  return parsed?.ok ? parsed.value : value;
};

/** Reads an environment in any of the shapes that clients send. */
export const readEnvironment = (
  value: unknown,
  path: string,
  report: Report,
): Server['environmentVariables'] => {
  const seen = new Set<string>();
  return variablesIn(unwrapped(value), path, report).map((variable) => {
    const { name } = variable;
    const problem = seen.has(name) ? `duplicate variable "${name}"; keep one.` : variableNameProblem(name);
    if (problem) report(variable.path, problem);
    seen.add(name);
    const plain = typeof variable.value === 'boolean' ? String(variable.value) : variable.value;
    return { name, value: readText({}, plain, { path: variable.path, report }) ?? '' };
  });
};
