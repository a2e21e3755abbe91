import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { actions, credentialResource, stackResources } from '../../src/model/actions.ts';
import { type AccessRequest, decide, mayAtAll } from '../../src/model/decide-access.ts';
import { parseScope, readScope, type Scope } from '../../src/model/role-scope.ts';
import type { Statement } from '../../src/model/scope-statement.ts';
import { wildcard } from '../../src/model/wildcard.ts';

const action = fc.constantFrom(...actions, 'coffee:brew');
const pattern = fc.oneof(
  action,
  fc.constantFrom(
    '*',
    'stack:*',
    '*:describe*',
    'view:alm.stack',
    '*:credentials',
    'cred:*::aws',
    'cred:*::k5',
  ),
);
const resource = fc.constantFrom(
  '*',
  'mo-1',
  'mo-*',
  'mrn:alm:stack:mo-1',
  'mrn:alm:stack:*',
  'mrn:vendor:aws:*',
);
const owners = fc.option(fc.subarray(['_SUBUSER_', 'ann', 'bob'], { minLength: 1 }));
const statementWith = (effect: fc.Arbitrary<'Allow' | 'Deny'>): fc.Arbitrary<Statement> =>
  fc.record({
    effect,
    actions: fc.array(pattern, { minLength: 1, maxLength: 3 }),
    resources: fc.array(resource, { minLength: 1, maxLength: 3 }),
    owners,
  });
const statement = statementWith(fc.constantFrom('Allow', 'Deny'));
const statements = fc.array(statement, { maxLength: 6 });
const request: fc.Arbitrary<AccessRequest> = fc.record({
  action,
  resources: fc.constantFrom(
    stackResources('mo-1'),
    stackResources('x'),
    [credentialResource('aws', 'A')],
    [],
  ),
  owner: fc.constantFrom('ann', 'bob', undefined),
  caller: fc.constantFrom('ann', 'bob'),
  dependsOn: fc.constantFrom(
    [],
    [{ action: 'cred:describeCredentials', resources: ['mrn:vendor:aws:cred:A'] }],
  ),
});

const scopeOf = (list: readonly Statement[]): Scope => ({ version: '2017-05-05', statements: list });
const isAllowed = (list: readonly Statement[], requested: AccessRequest): boolean =>
  decide([{ roleId: 'r', name: 'R', scope: scopeOf(list) }], requested).allowed;

test('adding a deny never allows more', () => {
  fc.assert(
    fc.property(statements, statementWith(fc.constant('Deny')), request, (list, deny, requested) => {
      expect(isAllowed([...list, deny], requested) && !isAllowed(list, requested)).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

test('the order of statements and their distribution over roles do not matter', () => {
  const shuffled = statements.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.nat(list.length)),
  );
  fc.assert(
    fc.property(shuffled, request, ([list, other, border], requested) => {
      const parts = [other.slice(0, border), other.slice(border)];
      const roles = parts.map((part, index) => ({ roleId: `${index}`, name: 'R', scope: scopeOf(part) }));
      expect(decide(roles, requested).allowed).toBe(isAllowed(list, requested));
    }),
    { numRuns: 1000 },
  );
});

test('nothing is allowed without an allow statement', () => {
  fc.assert(
    fc.property(fc.array(statementWith(fc.constant('Deny'))), request, (list, requested) => {
      expect(isAllowed(list, requested)).toBe(false);
    }),
  );
});

test('a wildcard matches everything: allowed alone it allows all, denied it allows nothing', () => {
  const all = { actions: ['*'], resources: ['*'], owners: null };
  fc.assert(
    fc.property(statements, request, (list, requested) => {
      expect(isAllowed([{ ...all, effect: 'Allow' }], requested)).toBe(true);
      expect(isAllowed([...list, { ...all, effect: 'Deny' }], requested)).toBe(false);
    }),
  );
});

test('an action allowed on some resource is allowed in general, unless denied on all', () => {
  fc.assert(
    fc.property(statements, request, (list, requested) => {
      const narrow = list.filter(({ effect, resources }) => effect === 'Allow' || !resources.includes('*'));
      const roles = [{ roleId: 'r', name: 'R', scope: scopeOf(narrow) }];
      if (decide(roles, requested).allowed) expect(mayAtAll(roles, requested.action).allowed).toBe(true);
    }),
  );
});

test('reading any scope gives a scope or problems, never an exception', () => {
  const name = fc.constantFrom(
    'version',
    'Version',
    'Statement',
    'effect',
    'Action',
    'Resource',
    'Condition',
    '__proto__',
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<unknown>('2017-05-05', 'Allow', '*', 'stack:*', 'mo-1', null, 1, { toString: 1 }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(name, fc.string()), tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.oneof(tree, fc.jsonValue()), fc.string(), request, (value, text, requested) => {
      expect(parseScope(text)).toHaveProperty('ok');
      expect(readScope(value)).toHaveProperty('ok');
      const read = parseScope(JSON.stringify(value) ?? '');
      if (read.ok) expect(typeof isAllowed(read.value.scope.statements, requested)).toBe('boolean');
      else expect(read.problems.length).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});

test('a wildcard matches the same texts as the equivalent regular expression', () => {
  const letters = (...allowed: string[]) => fc.string({ unit: fc.constantFrom(...allowed), maxLength: 8 });
  fc.assert(
    fc.property(letters('a', 'b', '*'), letters('a', 'b'), (pattern_, text) => {
      const meaning = new RegExp(`^${pattern_.replaceAll(/\*+/g, '.*')}$`);
      expect(wildcard(pattern_)(text)).toBe(meaning.test(text));
    }),
    { numRuns: 2000 },
  );
});

test('hostile patterns and large scopes are decided with little CPU', () => {
  const nasty = `mrn:alm:stack:${'*a'.repeat(2000)}b`;
  const many = Array.from(
    { length: 1000 },
    (_, index): Statement => ({
      effect: index % 2 === 0 ? 'Allow' : 'Deny',
      actions: ['stack:*', 'template:describe*'],
      resources: [`mrn:alm:stack:mo-${index}`, `mo-${index}-*`],
      owners: null,
    }),
  );
  const scope = scopeOf([...many, { effect: 'Deny', actions: ['*'], resources: [nasty], owners: null }]);
  const roles = [{ roleId: 'r', name: 'R', scope }];
  const decideOn = (id: string) =>
    decide(roles, { action: 'stack:describeStack', resources: stackResources(id), caller: 'ann' }).allowed;
  expect([decideOn('mo-500'), decideOn('mo-501'), decideOn('a'.repeat(4000))]).toEqual([true, false, false]);
  const before = process.cpuUsage();
  for (let round = 0; round < 100; round++) decideOn('mo-998');
  const { user, system } = process.cpuUsage(before);
  // Milliseconds of CPU, on average under 1. Time would depend on what else the machine does.
  expect((user + system) / 1000 / 100).toBeLessThan(5);
});
