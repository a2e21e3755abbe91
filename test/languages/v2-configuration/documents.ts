import type { Outcome } from '../../../src/basics/problem.ts';
import type { Compiled } from '../../../src/languages/language.ts';
import { compileConfiguration } from '../../../src/languages/v2-configuration/compile.ts';
import { mergeChanges, type V2Document } from '../../../src/languages/v2-configuration/document.ts';
import { readConfigurations } from '../../../src/languages/v2-configuration/read-configurations.ts';
import { readServerChanges } from '../../../src/languages/v2-configuration/read-server-changes.ts';

export const region = 'ap-northeast-1';

export const single = { architecture: 'art_single', type: 't2.micro' };
export const balanced = { architecture: 'art_elb', type: 't2.micro' };

export const valueOf = <T>(outcome: Outcome<T>): T => {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems, null, 2));
  return outcome.value;
};

/** Problems in the form `path: message`. */
export const problemsIn = (outcome: Outcome<unknown>): readonly string[] =>
  outcome.ok ? [] : outcome.problems.map(({ path, message }) => `${path}: ${message}`);

/** A new stack's document from configurations and later server settings. */
export const documentOf = (configurations: unknown, server?: unknown): V2Document => {
  const created = mergeChanges(null, valueOf(readConfigurations(configurations, null)));
  return server === undefined ? created : mergeChanges(created, valueOf(readServerChanges(server)));
};

export const compiledFrom = (configurations: unknown, server?: unknown): Compiled =>
  valueOf(compileConfiguration(documentOf(configurations, server), region));

/** The document of a stack as stored. */
export const storedFrom = (configurations: unknown, server?: unknown): V2Document =>
  compiledFrom(configurations, server).document as V2Document;

/** All problems of a new stack, from any step. */
export const problemsOfNew = (configurations: unknown): readonly string[] => {
  const read = readConfigurations(configurations, null);
  if (!read.ok) return problemsIn(read);
  return problemsIn(compileConfiguration(mergeChanges(null, read.value), region));
};
