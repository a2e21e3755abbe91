import { describe, expect, it } from 'vitest';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { allow, deny, rolesOn } from './role-statements.ts';

const almanac = useServedAlmanac();
const { listed, master, userWith } = rolesOn(almanac);

describe('a role', () => {
  it('a role that denies one stack hides it from lists, reads and changes', async () => {
    const [hidden, shown] = [await almanac.applyTemplate(), await almanac.applyTemplate()];
    const { token } = await userWith(
      'partly',
      allow(['*']),
      deny(['stack:describeStack'], [`mrn:alm:stack:${hidden}`]),
    );
    expect(await listed(token)).toContain(shown);
    expect(await listed(token)).not.toContain(hidden);
    for (const [method, path] of [
      ['GET', `/v3/alm/stack/${hidden}`],
      ['DELETE', `/v3/alm/stack/${hidden}?servers=replace`],
      ['GET', `/v3/alm/template?stack_id=${hidden}`],
    ] as const)
      expect((await almanac.call(method, path, { token })).status).toBe(404);
    const compare = { id: [{ [shown]: { version: '' } }, { [hidden]: { version: '' } }] };
    expect((await almanac.call('POST', '/v3/alm/template/compare', { token, json: compare })).status).toBe(
      404,
    );
  });

  it('a role that allows reads but not changes gets 403 with the reason, the action, the resource, and who can allow it', async () => {
    const stack = await almanac.applyTemplate();
    const { token } = await userWith('looker', allow(['stack:describe*', 'template:describe*']));
    expect((await almanac.call('GET', `/v3/alm/stack/${stack}`, { token })).status).toBe(200);
    const answer = await almanac.call('DELETE', `/v3/alm/stack/${stack}?servers=replace`, { token });
    expect([answer.status, answer.body.code, answer.body.RBAC]).toEqual([403, '4000', 'Action not allowed']);
    const update = await almanac.call('POST', `/v3/alm/stack/${stack}/cancel`, { token });
    for (const [{ body }, action] of [
      [answer, 'stack:deleteStack'],
      [update, 'template:updateAlmTemplate'],
    ] as const)
      expect(body.description).toMatch(new RegExp(`^You do not have permission for ${action}\\. `));
    // A role that allows the action nowhere is refused before the stack is known.
    const other = await almanac.applyTemplate();
    const statements = [allow(['*']), deny(['stack:deleteStack'], [`mrn:alm:stack:${other}`])];
    const refused = await almanac.call('DELETE', `/v3/alm/stack/${other}?servers=replace`, {
      token: (await userWith('keeper', ...statements)).token,
    });
    expect(refused.body.description).toMatch(
      new RegExp(
        `^You do not have permission for stack:deleteStack\\. The resource is mrn:alm:stack:${other}\\. .*Ask the master to change your roles\\.$`,
      ),
    );
  });

  it('a role with an owner condition limits a user to its own stacks', async () => {
    const masters = await almanac.applyTemplate();
    const own = { ...allow(['*']), Condition: { ownerFilter: { username: ['_SUBUSER_'] } } };
    const { token } = await userWith('owner', allow(['*']), own);
    const mine = await almanac.applyTemplate(undefined, token);
    expect(await listed(token)).toEqual([mine]);
    expect((await almanac.call('DELETE', `/v3/alm/stack/${masters}?servers=replace`, { token })).status).toBe(
      404,
    );
    expect((await almanac.call('DELETE', `/v3/alm/stack/${mine}?servers=replace`, { token })).status).toBe(
      200,
    );
  });

  it('a refusal names the denying role, not a missing one', async () => {
    const { token } = await userWith('denied', allow(['*']), deny(['stack:describeStacks'], ['*']));
    const refused = await almanac.call('GET', '/v3/alm/stack', { token });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe('RBAC response is limited.');
    expect(refused.body.description).toMatch(/^You do not have permission for stack:describeStacks\. .*den/);
  });

  it('a role that denies a credential hides its stacks and forbids its use', async () => {
    const stack = await almanac.applyTemplate();
    const { token } = await userWith(
      'unpaid',
      allow(['*']),
      deny(['cred:*'], ['mrn:vendor:aws:cred:SANDBOX']),
    );
    expect(await listed(token)).not.toContain(stack);
    expect((await almanac.call('GET', `/v3/alm/stack/${stack}`, { token })).status).toBe(404);
    expect((await almanac.call('GET', '/v3/credentials/aws', { token })).text).not.toContain('SANDBOX');
    const template = (await almanac.describe(stack)).configuration;
    expect((await almanac.call('POST', '/v3/alm/template', { token, json: template })).status).toBe(403);
  });

  it('a role also applies on v2, including requests that name the stack in the body', async () => {
    const json = {
      cred: 'SANDBOX',
      region: 'ap-northeast-1',
      configurations: { architecture: 'art_single', type: 't2.micro', image: 'x/y' },
    };
    const stack = String(
      (await almanac.call('POST', '/v2/alm/stack', { token: await almanac.clientToken(), json })).body
        .stack_id,
    );
    const { token } = await userWith('reader', allow(['stack:describe*']));
    expect((await almanac.call('GET', `/v2/alm/stack/${stack}`, { token })).status).toBe(200);
    const change = { stack_id: stack, envvars: { A: '1' } };
    expect((await almanac.call('PUT', '/v2/alm/serverconfig', { token, json: change })).status).toBe(403);
    expect((await almanac.call('DELETE', `/v2/alm/stack/${stack}?servers=replace`, { token })).status).toBe(
      403,
    );
    const template = `mrn:alm:template:${stack}`;
    const almost = await userWith('almost', allow(['*']), deny(['template:updateAlmTemplate'], [template]));
    const request = { token: almost.token, json: change };
    expect((await almanac.call('PUT', '/v2/alm/serverconfig', request)).status).toBe(403);
  });

  it('detaching or changing a role takes effect immediately', async () => {
    const stack = await almanac.applyTemplate();
    const { token, username } = await userWith('fleeting', allow(['*']));
    expect((await almanac.call('GET', `/v3/alm/stack/${stack}`, { token })).status).toBe(200);
    const [role] = (await master.call<Json[]>('GET', `/v3/user/${username}/role`)).body;
    const scope = JSON.stringify({ version: '2017-05-05', Statement: [deny(['*'])] });
    await master.call('PUT', `/v3/role/${String(role?.role_id)}`, { form: { name: 'changed', scope } });
    expect((await almanac.call('GET', `/v3/alm/stack/${stack}`, { token })).status).toBe(403);
  });
});
