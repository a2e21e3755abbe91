import { isObject } from '../../basics/is-object.ts';
import { at, type Outcome, reject, succeed } from '../../basics/problem.ts';
import type { Members } from '../plain-values.ts';
import { openNotebook, type Report } from '../report.ts';
import { type Changes, keptForm, mergeChanges, type V2Document } from './document.ts';
import { cacheItem, configurationChanges, databaseItem } from './schema.ts';
import { readMembers, readSent } from './sent.ts';
import { settle } from './settle.ts';

/** Describing a stack adds these to its configuration; whoever sends one back sends them too. */
const answeredOnly = new Set(['AWS', 'AWS_ACCOUNT_NAME']);

const itemNames: Readonly<Record<string, readonly string[]>> = {
  database: Object.keys(databaseItem.properties),
  elasticache: Object.keys(cacheItem.properties),
};

/** An item with its members in the one spelling they have here; clients differ in upper and lower case. */
const respellItem = (item: unknown, names: readonly string[], path: string, report: Report): unknown => {
  if (!isObject(item)) return item;
  const result: Record<string, unknown> = {};
  for (const [written, value] of Object.entries(item)) {
    const name = names.find((known) => known.toLowerCase() === written.toLowerCase()) ?? written;
    if (Object.hasOwn(result, name)) report(at(path, name), 'is given twice, in two spellings; keep one.');
    result[name] = value;
  }
  return result;
};

const respell = (members: Members, report: Report): Members => {
  const entries = Object.entries(members).filter(([name]) => !answeredOnly.has(name));
  const respelled = entries.map(([name, value]): [string, unknown] => {
    const names = Object.hasOwn(itemNames, name) ? itemNames[name] : undefined;
    if (!names || !Array.isArray(value)) return [name, value];
    const path = at('configurations', name);
    return [name, value.map((item, index) => respellItem(item, names, at(path, index), report))];
  });
  return Object.fromEntries(respelled);
};

/**
 * What `configurations` of a create or update says. Give it the stack's document (null for a new stack), and what
 * is wrong with the whole that the change would make is found along with the rest, not only when that is compiled.
 */
export const readConfigurations = (value: unknown, before?: V2Document | null): Outcome<Changes> => {
  const members = readMembers(value, 'configurations');
  if (!members.ok) return members;
  const notebook = openNotebook();
  const respelled = respell(members.value, notebook.report);
  const sent = readSent(configurationChanges, respelled, notebook.report, 'configurations');
  const changes: Changes = { configuration: keptForm(sent), server: {} };
  if (before !== undefined) settle(mergeChanges(before, changes), notebook.report);
  const problems = notebook.problems();
  return problems.length > 0 ? reject(problems) : succeed(changes);
};
