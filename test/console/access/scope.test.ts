import { describe, expect, it } from 'vitest';
import { rehearse } from '../../../src/console/access/roles/rehearsal.ts';
import {
  addStatement,
  changeStatement,
  missingIn,
  readScope,
  removeStatement,
  withOtherRoles,
} from '../../../src/console/access/roles/scope.ts';

const scope = JSON.stringify({
  version: '2017-05-05',
  Statement: [
    {
      effect: 'allow',
      Action: 'stack:*',
      Resource: ['*'],
      Condition: { ownerFilter: { username: ['_SUBUSER_'] } },
    },
    { Effect: 'Deny', Action: ['stack:deleteStack'], Resource: ['*'] },
  ],
});

describe('the scope of a role in the form', () => {
  it('is read whatever the case of its members, and whether a value is one text or a list', () => {
    expect(readScope(scope)).toEqual({
      statements: [
        { effect: 'Allow', actions: ['stack:*'], resources: ['*'], owners: ['_SUBUSER_'] },
        { effect: 'Deny', actions: ['stack:deleteStack'], resources: ['*'], owners: null },
      ],
    });
  });

  it('says what a statement lacks that was just added', () => {
    const added = addStatement(scope, 'Allow');
    expect([missingIn(scope), missingIn('{'), missingIn(added)]).toEqual([
      null,
      null,
      'Statement 2 has no action yet.',
    ]);
    const withoutPlace = changeStatement(added, 2, { actions: ['stack:*'], resources: [] });
    expect(missingIn(withoutPlace)).toBe('Statement 2 has no resource yet.');
  });

  it('keeps every other member and statement when one is changed', () => {
    const changed: unknown = JSON.parse(changeStatement(scope, 0, { effect: 'Deny' }));
    const expected = JSON.parse(scope) as { Statement: { effect: string }[] };
    expected.Statement[0] = { ...expected.Statement[0], effect: 'Deny' };
    expect(changed).toEqual(expected);
  });

  it('loses a condition only when its owners are removed', () => {
    const [first] = (JSON.parse(changeStatement(scope, 0, { owners: null })) as { Statement: object[] })
      .Statement;
    expect(first).toEqual({ effect: 'allow', Action: 'stack:*', Resource: ['*'] });
  });

  it('is the same again after a statement was added and removed', () => {
    expect(JSON.parse(removeStatement(addStatement(scope, 'Allow'), 2))).toEqual(JSON.parse(scope));
  });

  it('says why it cannot show a text that is not JSON', () => {
    expect(readScope('{')).toHaveProperty('problem');
  });

  it('shows a statement of another form as JSON beside the others, which can still be changed', () => {
    const other = { Effect: 'Allow', Action: {}, Resource: ['*'] };
    const { Statement: all } = JSON.parse(scope) as { Statement: object[] };
    const mixed = JSON.stringify({ version: '2017-05-05', Statement: [other, ...all] });
    const read = readScope(mixed);
    expect('statements' in read && read.statements[0]).toEqual({ json: JSON.stringify(other, null, 2) });
    expect('statements' in read && read.statements[2]).toHaveProperty('effect', 'Deny');
    const changed = JSON.parse(changeStatement(mixed, 2, { effect: 'Allow' })) as { Statement: object[] };
    expect(changed.Statement[0]).toEqual(other);
    expect(changed.Statement[2]).toHaveProperty('Effect', 'Allow');
  });
});

describe('the rehearsal of a draft', () => {
  it('asks about each user with all of their roles, and adds up the answers', async () => {
    const asked: { scope: string; username?: string }[] = [];
    const change = { number: 1, time: '', action: '', resource: '', was: 'allowed', would_be: 'denied' };
    const rehearsal = await rehearse(
      scope,
      [
        { username: 'ann', otherScopes: [] },
        { username: 'jun', otherScopes: [scope] },
      ],
      (question) => {
        asked.push(question);
        const why = `Statement ${question.username === 'ann' ? 1 : 3} of role "draft" denies it.`;
        return Promise.resolve({
          requests: 2,
          changed: 1,
          changes: [{ ...change, actor: question.username ?? '', why }],
        });
      },
    );
    expect(asked.map(({ username }) => username)).toEqual(['ann', 'jun']);
    expect(asked[1]?.scope).toBe(withOtherRoles(scope, [scope]));
    expect(rehearsal).toMatchObject({ requests: 4, refused: 2, allowed: 0 });
    expect(rehearsal.changes.map(({ why }) => why)).toEqual([
      'Statement 1 denies it.',
      'Another role of the user denies it.',
    ]);
  });
});
