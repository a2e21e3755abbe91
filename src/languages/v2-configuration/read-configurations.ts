import { isObject } from '../../basics/is-object.ts';
import { at, type Outcome, reject, succeed } from '../../basics/problem.ts';
import type { Members } from '../plain-values.ts';
import { below, collectProblems, type Location } from '../report.ts';
import { type Changes, mergeChanges, storedForm, type V2Document } from './document.ts';
import { asSent } from './locate-problem.ts';
import { readMembers, readPatch } from './patch.ts';
import { cacheItem, configurationChanges, databaseItem } from './schema.ts';
import { settle } from './settle.ts';

/** Members that responses add to a configuration; clients that send one back include them. */
export const responseOnly: ReadonlySet<string> = new Set(['AWS', 'AWS_ACCOUNT_NAME']);

const itemNames: Readonly<Record<string, readonly string[]>> = {
  database: Object.keys(databaseItem.properties),
  elasticache: Object.keys(cacheItem.properties),
};

/** Gives the members of an item their canonical names; clients differ in upper and lower case. */
const normalizeItem = (item: unknown, names: readonly string[], { path, report }: Location): unknown => {
  if (!isObject(item)) return item;
  const result: Record<string, unknown> = {};
  for (const [written, value] of Object.entries(item)) {
    const name = names.find((known) => known.toLowerCase() === written.toLowerCase()) ?? written;
    if (Object.hasOwn(result, name)) report(at(path, name), 'is set twice, in two spellings; keep one.');
    result[name] = value;
  }
  return result;
};

const normalize = (members: Members, location: Location): Members => {
  const entries = Object.entries(members).filter(([name]) => !responseOnly.has(name));
  const normalized = entries.map(([name, value]): [string, unknown] => {
    const names = Object.hasOwn(itemNames, name) ? itemNames[name] : undefined;
    if (!names || !Array.isArray(value)) return [name, value];
    const list = below(location, name);
    return [name, value.map((item, index) => normalizeItem(item, names, below(list, index)))];
  });
  return Object.fromEntries(normalized);
};

/**
 * Reads `configurations` of a create or update request. With the stack's document (null for a new stack), problems of the
 * merged configuration are returned together with the others, not only when it is compiled.
 */
export const readConfigurations = (value: unknown, before?: V2Document | null): Outcome<Changes> => {
  const members = readMembers(value, 'configurations');
  if (!members.ok) return members;
  const list = collectProblems();
  const location = { path: 'configurations', report: list.report };
  const patch = readPatch(configurationChanges, normalize(members.value, location), location);
  const changes: Changes = { configuration: storedForm(patch), server: {} };
  if (before !== undefined) settle(mergeChanges(before, changes), list.report);
  const problems = list.problems((path) => asSent({ configurations: value }, path));
  return problems.length > 0 ? reject(problems) : succeed(changes);
};
