import { describe, expect, it } from 'vitest';
import { parseScope, readScope, roleTemplates } from '../../src/model/role-scope.ts';

const allowAll = { Effect: 'Allow', Action: ['*'], Resource: ['*'] };
const withStatement = (members: object) => ({
  version: '2017-05-05',
  Statement: [{ ...allowAll, ...members }],
});
const parse = (body: unknown) => parseScope(JSON.stringify(body));
const pathsOf = (body: unknown): string[] => {
  const outcome = parse(body);
  return outcome.ok ? [] : outcome.problems.map(({ path }) => path);
};
const warningsOf = (body: unknown): string[] => {
  const outcome = parse(body);
  expect(outcome).toMatchObject({ ok: true });
  return outcome.ok ? outcome.value.warnings : [];
};

describe('a valid scope is accepted', () => {
  const expected = {
    version: '2017-05-05',
    statements: [{ effect: 'Deny', actions: ['stack:*'], resources: ['mo-1'], owners: ['_SUBUSER_', 'ann'] }],
  };
  it.each([
    [
      'in the form of the API',
      {
        version: '2017-05-05',
        Statement: [
          {
            Effect: 'Deny',
            Action: ['stack:*'],
            Resource: ['mo-1'],
            Condition: { ownerFilter: { username: ['_SUBUSER_', 'ann'] } },
          },
        ],
      },
    ],
    [
      'in any case, with single strings instead of lists',
      {
        Version: '2017-05-05',
        statement: {
          effect: 'DENY',
          action: 'stack:*',
          RESOURCE: 'mo-1',
          condition: { OwnerFilter: { userName: ['_SUBUSER_', 'ann'] } },
        },
      },
    ],
  ])('%s', (_how, body) => {
    expect(parse(body)).toEqual({ ok: true, value: { scope: expected, warnings: [] } });
  });

  it('in the form of the sample of the command-line client', () => {
    const deny = { Effect: 'Deny', Action: ['stack:describeStacks'], Resource: ['mrn:alm:stack:mo-1'] };
    expect(warningsOf({ Version: '2017-05-05', Statement: [deny, allowAll] })).toEqual([]);
  });

  it.each(roleTemplates.map(({ id, scope }) => [id, scope] as const))('template %s', (_id, scope) => {
    expect(warningsOf(scope)).toEqual([]);
  });
});

describe('an invalid scope is rejected with the path', () => {
  it.each<[what: string, body: unknown, paths: string[]]>([
    ['not an object', [], ['']],
    ['null', null, ['']],
    ['no version, no statement', {}, ['version', 'Statement']],
    ['a version that is not a date', { version: '2', Statement: [] }, ['version']],
    ['a day that is not in the calendar', { version: '2017-02-30', Statement: [] }, ['version']],
    ['a version that is not a string', { version: { toString: 1 }, Statement: [] }, ['version']],
    ['an unknown member', { version: '2017-05-05', Statement: [], Sttement: [] }, ['Sttement']],
    ['a statement that is not an object', { version: '2017-05-05', Statement: [1] }, ['Statement/0']],
    ['an unknown effect', withStatement({ Effect: 'Perhaps' }), ['Statement/0/Effect']],
    ['no action', withStatement({ Action: [] }), ['Statement/0/Action']],
    ['a misspelled member', withStatement({ Conditon: {} }), ['Statement/0/Conditon']],
    ['an action with no area', withStatement({ Action: ['stack:*', 'describe'] }), ['Statement/0/Action/1']],
    [
      'an action that is not a string',
      withStatement({ Action: [{ toString: 1 }] }),
      ['Statement/0/Action/0'],
    ],
    ['a single action that is not a string', withStatement({ Action: 5 }), ['Statement/0/Action']],
    ['no resource', withStatement({ Resource: undefined }), ['Statement/0/Resource']],
    ['a foreign resource', withStatement({ Resource: ['*', 'arn:aws:s3:::x'] }), ['Statement/0/Resource/1']],
    ['an empty resource', withStatement({ Resource: '' }), ['Statement/0/Resource']],
    ['an empty condition', withStatement({ Condition: {} }), ['Statement/0/Condition/ownerFilter']],
    ['a null condition', withStatement({ Condition: null }), ['Statement/0/Condition']],
    [
      'an unknown condition',
      withStatement({ Condition: { ownerFilter: { username: 'ann' }, timeFilter: {} } }),
      ['Statement/0/Condition/timeFilter'],
    ],
    [
      'an empty owner filter',
      withStatement({ Condition: { ownerFilter: { username: [] } } }),
      ['Statement/0/Condition/ownerFilter/username'],
    ],
  ])('with %s', (_what, body, paths) => {
    expect(pathsOf(body)).toEqual(paths);
  });

  it.each([
    [
      '{"version":"2017-05-05",\n  Statement: []}',
      'is not valid JSON: line 2, column 3: expected a member name in double quotes; a comma after the last member is not allowed.',
    ],
    ['', 'is not valid JSON: line 1, column 1: unexpected end of text.'],
  ])('when it is not JSON: %s', (text, message) => {
    expect(parseScope(text)).toEqual({
      ok: false,
      problems: [expect.objectContaining({ path: '', message })],
    });
  });

  it.each([
    ['{"version":"2017-05-05","Statement":[],"Version":"2017-05-05"}', 'Version'],
    ['{"Statement":[{"Action":["*","a:b"]},{"Effect":"Deny","effect":"Allow"}]}', 'Statement/1/effect'],
    ['{"a\\"":{"b":"{,:"},"c":[1,{"d":1,"d":2}]}', 'c/1/d'],
  ])('when a member is duplicate: %s', (text, path) => {
    expect(parseScope(text)).toEqual({
      ok: false,
      problems: [{ path, message: 'is a duplicate member; remove one.' }],
    });
  });

  it('with a limited number of problems', () => {
    expect(pathsOf(withStatement({ Action: Array.from({ length: 5000 }, () => 1) }))).toHaveLength(100);
  });
});

describe('warnings about a scope', () => {
  it.each<[what: string, members: object, warning: RegExp]>([
    [
      'a mistyped action',
      { Action: 'stack:descirbeStack' },
      /^Statement\/0\/Action\/0: .*did you mean stack:describeStack\?/,
    ],
    [
      'a verb of other services',
      { Action: ['*', 'stack:listStacks'] },
      /Action\/1: .*did you mean stack:describeStacks\?/,
    ],
    ['a wrong area', { Action: 'stacks:deleteStack' }, /did you mean stack:deleteStack\?/],
    ['an action similar to none', { Action: 'coffee:brew' }, /unknown action "coffee:brew"\.$/],
    ['a vendor on an action without vendors', { Action: 'stack:deleteStack::aws' }, /unknown action/],
    [
      'an unknown kind of resource',
      { Resource: 'mrn:alm:stak:mo-1' },
      /^Statement\/0\/Resource\/0: unknown kind of resource "mrn:alm:stak:mo-1"/,
    ],
    [
      'a condition without effect',
      { Action: 'cred:*', Condition: { ownerFilter: { username: 'ann' } } },
      /^Statement\/0\/Condition: /,
    ],
  ])('are given for %s', (_what, members, warning) => {
    expect(warningsOf(withStatement(members))).toEqual([expect.stringMatching(warning)]);
  });

  it('about thousands of unknown actions are limited and cheap to find', () => {
    const Action = Array.from({ length: 20_000 }, (_, index) => `stack:descirbeStack${index}`);
    expect(warningsOf(withStatement({ Action }))).toHaveLength(100);
  });

  it('are given for a role that allows nothing', () => {
    expect(warningsOf({ version: '2017-05-05', Statement: [] })).toHaveLength(1);
  });

  it.each([
    'stack:*',
    '*:credentials',
    'view:alm.stack',
    'cred:createCredentials::aws',
    'stack:createStack',
    'MRN:ALM:STACK:mo-1',
  ])('are not given for %s', (text) => {
    const members = /^mrn/i.test(text) ? { Resource: text } : { Action: text };
    expect(readScope(withStatement(members))).toMatchObject({ ok: true, value: { warnings: [] } });
  });
});
