import { describe, expect, it } from 'vitest';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { AccessCaller } from './access-caller.ts';

const almanac = useServedAlmanac();
const master = new AccessCaller(almanac);

const scopeOf = (...Statement: object[]) => ({ version: '2017-05-05', Statement });
const allow = (Action: string[], Resource = ['*']) => ({ Effect: 'Allow', Action, Resource });
const deny = (Action: string[], Resource = ['*']) => ({ Effect: 'Deny', Action, Resource });
const explain = (json: object) => master.call('POST', '/v3/role/explain', { json });
const replay = (json: object) => master.call('POST', '/v3/role/replay', { json });

describe('explaining an access decision', () => {
  it('explain returns the statement of the role that determines the decision', async () => {
    const stack = await almanac.applyTemplate();
    const { username } = await master.makeUser('subject');
    const role_id = await master.makeRole(
      'almost everything',
      JSON.stringify(scopeOf(allow(['*']), deny(['stack:deleteStack'], [`mrn:alm:stack:${stack}`]))),
    );
    await master.call('POST', '/v3/user/role', { json: { username, role_id } });
    const about = { username, resource: `mrn:alm:stack:${stack}` };
    expect((await explain({ ...about, action: 'stack:describeStack' })).body).toMatchObject({
      decision: 'allowed',
      role_id,
      statement: 0,
    });
    expect((await explain({ ...about, action: 'stack:deleteStack' })).body).toMatchObject({
      decision: 'denied',
      role_id,
      statement: 1,
    });
  });

  it('explain considers the owner of a stack, the default of a user without roles, and the master', async () => {
    const stack = await almanac.applyTemplate();
    await master.makeUser('plain');
    const question = { action: 'stack:deleteStack', resource: stack };
    expect((await explain({ ...question, username: 'plain' })).body).toMatchObject({ decision: 'denied' });
    expect((await explain({ ...question, username: 'root' })).body).toMatchObject({
      decision: 'allowed',
      why: 'The master user has all permissions.',
    });
  });

  it('explain evaluates a draft, as an object or as text', async () => {
    const scope = scopeOf(allow(['stack:*']));
    for (const draft of [scope, JSON.stringify(scope)])
      expect(
        (await explain({ scope: draft, action: 'stack:describeStack', resource: 'mo-any' })).body,
      ).toMatchObject({ decision: 'allowed', statement: 0 });
    expect((await explain({ scope, action: 'cred:createCredential' })).body).toMatchObject({
      decision: 'denied',
      statement: null,
    });
  });

  it('explain rejects a draft that is too long for a role', async () => {
    const scope = scopeOf(allow(['stack:*'], ['x'.repeat(65_536)]));
    for (const draft of [scope, JSON.stringify(scope)])
      for (const answer of [
        await explain({ scope: draft, action: 'stack:describeStack' }),
        await replay({ scope: draft }),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body.message).toBe('scope must have at most 65536 characters.');
      }
  });

  it('explain requires a user or a draft, a valid draft, a known user, and the master', async () => {
    expect((await explain({ action: 'stack:describeStack' })).status).toBe(400);
    const malformed = await explain({ scope: { version: 'x' }, action: 'stack:describeStack' });
    expect(malformed.status).toBe(400);
    expect((malformed.body.problems as Json[]).every(({ path }) => String(path).startsWith('scope'))).toBe(
      true,
    );
    expect((await explain({ username: 'nobody', action: 'stack:describeStack' })).status).toBe(404);
    const { token } = await master.makeUser('curious');
    expect((await almanac.call('POST', '/v3/role/explain', { token, json: {} })).status).toBe(403);
  });
});

describe('replaying requests', () => {
  it('replay lists the requests that a draft would have decided differently', async () => {
    const { token, username } = await master.makeUser('busy');
    const mine = await almanac.applyTemplate(undefined, token);
    for (const path of ['/v3/alm/stack', `/v3/alm/stack/${mine}`]) await almanac.call('GET', path, { token });
    await almanac.call('DELETE', `/v3/alm/stack/${mine}?servers=replace`, { token });
    const lookingOnly = scopeOf(allow(['stack:describe*']));
    const entries = async () => Number((await replay({ scope: lookingOnly, username })).body.requests);
    await expect.poll(entries, { interval: 100 }).toBeGreaterThanOrEqual(4);
    const { body } = await replay({ scope: lookingOnly, username });
    const changes = body.changes as Json[];
    expect(changes.map(({ action, was, would_be }) => [action, was, would_be])).toEqual([
      ['template:createAlmTemplate', 'allowed', 'denied'],
      ['stack:deleteStack', 'allowed', 'denied'],
    ]);
    expect(changes[1]).toMatchObject({ actor: username, resource: `mrn:alm:stack:${mine}` });
    expect((await replay({ scope: scopeOf(allow(['*'])), username })).body).toMatchObject({
      changed: 0,
      changes: [],
    });
  });

  it('replay rejects an invalid draft, and callers other than the master', async () => {
    expect((await replay({ scope: '{' })).status).toBe(400);
    const { token } = await master.makeUser('nosy');
    expect((await almanac.call('POST', '/v3/role/replay', { token, json: { scope: '{}' } })).status).toBe(
      403,
    );
  });
});
