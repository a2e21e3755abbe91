import * as fc from 'fast-check';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/basics/problem.ts';
import { compileConfiguration } from '../../../src/languages/v2-configuration/compile.ts';
import {
  mergeChanges,
  presentConfiguration,
  type V2Document,
} from '../../../src/languages/v2-configuration/document.ts';
import { readConfigurations } from '../../../src/languages/v2-configuration/read-configurations.ts';
import { readDeploy } from '../../../src/languages/v2-configuration/read-deploy.ts';
import { readServerChanges } from '../../../src/languages/v2-configuration/read-server-changes.ts';
import { stackModel } from '../../../src/model/stack-model.ts';
import { type Mutation, mutate } from '../v3-template/mutations.ts';
import { compiledFrom, region, storedFrom, valueOf } from './documents.ts';
import { pairs } from './pairs.ts';

const stored = pairs.map(({ configurations, server }) => storedFrom(configurations, server));

const expectSentences = (outcome: Outcome<unknown>): void => {
  if (outcome.ok) return;
  expect(outcome.problems.length).toBeGreaterThan(0);
  expect(outcome.problems.filter(({ message }) => !/\S.*[.?]$/s.test(message))).toEqual([]);
  expect(JSON.stringify(outcome.problems)).not.toContain('hidden-');
};

/** Expects a valid model that contains no secret and compiles again, or problems with sentences; never an exception. */
const expectModelOrProblems = (document: V2Document): void => {
  const first = compileConfiguration(document, region);
  expectSentences(first);
  if (!first.ok) return;
  expect(Check(stackModel, first.value.model)).toBe(true);
  expect(JSON.stringify([first.value.model, first.value.document])).not.toContain('hidden-');
  const again = valueOf(compileConfiguration(first.value.document as V2Document, region));
  expect(again.model).toEqual(first.value.model);
  expect(again.document).toEqual(first.value.document);
  presentConfiguration(first.value.document as V2Document);
};

/** Sends the same value in all requests, to a new and to an existing stack. */
const expectAnswers = (sent: unknown, before: V2Document): void => {
  const created = readConfigurations(sent, null);
  expectSentences(created);
  if (created.ok) expectModelOrProblems(mergeChanges(null, created.value));
  const deploy = readDeploy(sent, before);
  expectSentences(deploy);
  if (deploy.ok) expectModelOrProblems(mergeChanges(before, deploy.value.changes));
  for (const changes of [
    readConfigurations(sent),
    readConfigurations(sent, before),
    readServerChanges(sent),
  ]) {
    expectSentences(changes);
    if (changes.ok) expectModelOrProblems(mergeChanges(before, changes.value));
  }
};

const words = [
  '',
  '${computed}',
  '${sealed}',
  '${sealed:web/git_private_key}',
  'true',
  '-1',
  '7',
  '__proto__',
  'art_elb',
  '?',
  'A=1',
  '{"min":1}',
  '[]',
];
const names = [
  'min',
  'max',
  'database',
  'elasticache',
  'DBTYPE',
  'Engine',
  'envvars',
  'filepath',
  'method',
  'ports',
  'privateKey',
  'gitPrivateKey',
  'toString',
  '__proto__',
  'constructor',
  'region',
  'name',
  'value',
];

const replacement = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown[]>(null, true, 0, -1, 3, 70000, 1.5, 1e21, [], {}, [[]], ...words),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  position: fc.nat(),
  value: replacement,
  name: fc.option(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 })), { freq: 3 }),
});

const changedBy = (start: unknown, mutations: readonly Mutation[]): unknown => {
  let changed = start;
  for (const one of mutations) changed = mutate(changed, one);
  return changed;
};

test('any JSON value gives a model or problems in v2', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(...stored), expectAnswers), {
    numRuns: 400,
  });
});

test('any value under known member names gives a model or problems', () => {
  const anything = fc.dictionary(
    fc.constantFrom(...names.filter((name) => name !== '__proto__')),
    replacement,
  );
  fc.assert(fc.property(anything, fc.constantFrom(...stored), expectAnswers), { numRuns: 400 });
});

test('a valid configuration with a random change gives a model or problems', () => {
  const valid = [
    ...pairs.map(({ configurations }) => configurations),
    ...pairs.flatMap(({ server }) => (server ? [server] : [])),
    { method: 'git_private', filepath: 'x', privateKey: 'hidden-key' },
  ];
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.constantFrom(...valid),
      mutations,
      fc.constantFrom(...stored),
      (start, changes, before) => {
        expectAnswers(changedBy(start, changes), before);
      },
    ),
    { numRuns: 600 },
  );
});

test('reading the request of a new stack finds all its problems', () => {
  fc.assert(
    fc.property(fc.constantFrom(...pairs), fc.array(mutation, { maxLength: 3 }), (pair, changes) => {
      const sent = changedBy(pair.configurations, changes);
      const read = readConfigurations(sent, null);
      // Only the region cannot be checked before the stack's region is known.
      if (read.ok && read.value.configuration.region === undefined)
        valueOf(compileConfiguration(mergeChanges(null, read.value), region));
    }),
    { numRuns: 400 },
  );
});

const scalar = (from: number, to: number) => fc.integer({ min: from, max: to });
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const name = fc.stringMatching(/^[a-z][a-z0-9.]{0,11}$/);

const validConfiguration = fc
  .record({
    architecture: fc.constantFrom('art_single', 'art_elb'),
    type: name,
    image: some(name),
    code: some(name),
    min: some(scalar(0, 10)),
    max: some(scalar(10, 1000)),
    spotRange: some(scalar(0, 100)),
    database: some(
      fc.array(
        fc.record({
          Engine: fc.constantFrom('db_mysql', 'db_postgresql'),
          DBtype: name,
          DBStorage: scalar(5, 6144),
          ReadReplica1: fc.boolean(),
          ReadReplica4: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
    ),
    elasticache: some(
      fc.array(
        fc.record({
          ElastiCacheEngine: fc.constantFrom('Redis', 'Memcached'),
          ElastiCacheNodeType: name,
          ElastiCacheNodes: scalar(1, 6),
        }),
        { maxLength: 3 },
      ),
    ),
  })
  .map((configuration): object => JSON.parse(JSON.stringify(configuration)));

/** The same with numbers and booleans written as strings. */
const asText = (value: object): object =>
  JSON.parse(
    JSON.stringify(value, (_name, member: unknown) =>
      typeof member === 'number' || typeof member === 'boolean' ? String(member) : member,
    ),
  );

test('numbers and booleans may be strings, and the whole may be JSON text, with the same result', () => {
  fc.assert(
    fc.property(validConfiguration, (configuration) => {
      const { model, document } = compiledFrom(configuration);
      for (const written of [
        asText(configuration),
        JSON.stringify(configuration),
        JSON.stringify(asText(configuration)),
      ]) {
        const other = compiledFrom(written);
        expect(other.model).toEqual(model);
        expect(other.document).toEqual(document);
      }
    }),
    { numRuns: 200 },
  );
});
