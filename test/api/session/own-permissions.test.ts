import { beforeAll, describe, expect, it } from 'vitest';
import { AccessCaller, scopeAllowing } from '../access/access-caller.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { SessionBrowser } from './session-browser.ts';

const almanac = useServedAlmanac();
const master = new AccessCaller(almanac);
let stackId: string;
beforeAll(async () => {
  stackId = await almanac.applyTemplate();
});

const permissions = (token: string, query = '') =>
  almanac.call<{ roles: Json[]; actions: Record<string, Json> }>('GET', `/v3/session/permissions${query}`, {
    token,
  });

async function userWith(name: string, scope: string): Promise<string> {
  const { username, token } = await master.makeUser(name);
  const role_id = await master.makeRole(`role of ${name}`, scope);
  await master.call('POST', '/v3/user/role', { json: { username, role_id } });
  return token;
}

describe('what a user may do', () => {
  it('the master may do everything, also in a browser', async () => {
    const browser = new SessionBrowser(almanac);
    await browser.signIn();
    const { body } = await browser.send('GET', `/v3/session/permissions?stack_id=${stackId}`);
    const values = Object.values(body.actions as Record<string, Json>);
    expect(values.length).toBeGreaterThan(20);
    expect(values.filter(({ allowed }) => !allowed)).toEqual([]);
  });

  it('a user reads the names of their roles, and none where the default rights apply', async () => {
    const token = await userWith('named', scopeAllowing('stack:describe*'));
    expect((await permissions(token)).body.roles).toEqual([
      { role_id: expect.stringMatching(/^morole-/), name: 'role of named' },
    ]);
    const { token: plain } = await master.makeUser('unnamed');
    expect((await permissions(plain)).body.roles).toEqual([]);
  });

  it('a missing permission names the stack, says that no statement allows it, and whom to ask', async () => {
    const token = await userWith('reader', scopeAllowing('stack:describe*'));
    const { body } = await permissions(token, `?stack_id=${stackId}`);
    expect(body.actions['stack:describeStack']).toEqual({
      allowed: true,
      reason: 'Statement 0 of role "role of reader" allows it.',
    });
    expect(body.actions['stack:deleteStack']).toEqual({
      allowed: false,
      reason:
        `You do not have permission for stack:deleteStack. The resource is mrn:alm:stack:${stackId}. ` +
        'No statement of a role allows it. Ask the master to change your roles.',
    });
    expect(body.actions['user:createUser']).toEqual({
      allowed: false,
      reason: 'Only the master account has permission for this request.',
    });
  });

  it('a denied permission names the statement, for that stack only', async () => {
    const deny = { Effect: 'Deny', Action: ['stack:deleteStack'], Resource: [`mrn:alm:stack:${stackId}`] };
    const allow = { Effect: 'Allow', Action: ['*'], Resource: ['*'] };
    const token = await userWith(
      'denied',
      JSON.stringify({ Version: '2017-05-05', Statement: [allow, deny] }),
    );
    const here = await permissions(token, `?stack_id=${stackId}`);
    expect(here.body.actions['stack:deleteStack']).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('Statement 1 of role "role of denied" denies it.'),
    });
    const anywhere = await permissions(token);
    expect(anywhere.body.actions['stack:deleteStack']).toMatchObject({ allowed: true });
    const deleted = await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token });
    expect(deleted.body.description).toBe(here.body.actions['stack:deleteStack']?.reason);
  });

  it('a stack of another account, an unknown one and one that may not be seen do not exist', async () => {
    const other = await permissions(await almanac.otherAccountToken(), `?stack_id=${stackId}`);
    const unknown = await permissions(await almanac.userToken(), '?stack_id=mo-unknown');
    const hidden = await permissions(
      await userWith('blind', scopeAllowing('cred:*')),
      `?stack_id=${stackId}`,
    );
    expect([other.status, unknown.status, hidden.status]).toEqual([404, 404, 404]);
    expect(other.text.replace(/"request_id":"[^"]*"/, '')).toBe(
      hidden.text.replace(/"request_id":"[^"]*"/, ''),
    );
  });

  it('only users can ask', async () => {
    expect((await almanac.call('GET', '/v3/session/permissions')).status).toBe(401);
    expect((await permissions(await almanac.clientToken())).status).toBe(403);
    expect((await permissions(await almanac.stackToken(stackId))).status).toBe(403);
  });
});
