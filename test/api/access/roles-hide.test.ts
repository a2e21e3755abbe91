import { describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { allow, deny, rolesOn } from './role-statements.ts';

const almanac = useServedAlmanac();
const { listed, master, userWith } = rolesOn(almanac);

describe('resources hidden by roles', () => {
  it('a user with read access does not see the token of a stack', async () => {
    const stack = await almanac.applyTemplate();
    const { token } = await userWith('viewer', allow(['stack:describeStack', 'stack:describeStacks']));
    const described = await almanac.call('GET', `/v3/alm/stack/${stack}`, { token });
    expect([described.status, described.body.auth_token]).toEqual([200, '']);
    expect(
      (await almanac.call<Json[]>('GET', '/v3/alm/stack', { token })).body.every(
        (listedStack) => listedStack.auth_token === '',
      ),
    ).toBe(true);
  });

  it('a hidden stack cannot be reached through the agent routes', async () => {
    const stack = await almanac.applyTemplate();
    const { token } = await userWith('outsider', allow(['*']), deny(['*'], [`mrn:alm:stack:${stack}`]));
    const json = {
      stack_id: stack,
      agent_id: 'a',
      status: 'spot_terminate',
      container_id: 'c',
      user_id: 'x',
      instance_id: 'i',
    };
    const calls = [
      ['GET', `/v3/alm/agent/config?stack_id=${stack}&flag=web0`, {}],
      ['GET', `/v3/alm/sts?stack_id=${stack}`, {}],
      ['POST', '/v3/alm/agent/agent_status', { json }],
      ['POST', '/v3/alm/agent/container_status', { json }],
    ] as const;
    for (const [method, path, body] of calls)
      expect([path, (await almanac.call(method, path, { token, ...body })).status]).toEqual([path, 404]);
  });

  it('a hidden credential cannot be replaced, deleted or used, however its vendor is spelled', async () => {
    await master.call('POST', '/v3/credentials/aws', {
      json: { credentials: { AWSAccessKeyId: 'PROD', AWSSecretKey: 's' } },
    });
    const { token } = await userWith('borrower', allow(['*']), deny(['*'], ['mrn:vendor:aws:cred:*']));
    const save = { credentials: { AWSAccessKeyId: 'PROD', AWSSecretKey: 'other' } };
    expect((await almanac.call('POST', '/v3/credentials/aws', { token, json: save })).status).toBe(404);
    expect((await almanac.call('DELETE', '/v3/credentials/aws?credential_id=PROD', { token })).status).toBe(
      404,
    );
    for (const vendor of ['aws', 'AWS', 'awscloud', ' aws ']) {
      const template = { ...oneServer(), vendor: { [vendor]: { cred: 'SANDBOX', region: 'us-east-1' } } };
      for (const path of ['/v3/alm/template', '/v3/alm/template/preview'])
        expect([vendor, path, (await almanac.call('POST', path, { token, json: template })).status]).toEqual([
          vendor,
          path,
          403,
        ]);
    }
  });

  it('a template with a new credential requires the permission to create credentials', async () => {
    const { token } = await master.makeUser('smuggler');
    const template = {
      ...oneServer(),
      vendor: { sandbox: { cred: 'NEW', region: 'us-east-1', secret: 's' } },
    };
    expect((await almanac.call('POST', '/v3/alm/template', { token, json: template })).status).toBe(403);
    expect((await master.call('GET', '/v3/credentials/sandbox')).text).not.toContain('NEW');
  });

  it('a deny on creation holds, however it names the resource', async () => {
    for (const [index, resource] of ['*', 'mrn:*', 'mrn:alm:stack:*', 'mrn:alm:template:*'].entries()) {
      const { token } = await userWith(
        `maker${index}`,
        allow(['*']),
        deny(['template:createAlmTemplate'], [resource]),
      );
      expect([
        resource,
        (await almanac.call('POST', '/v3/alm/template', { token, json: oneServer() })).status,
      ]).toEqual([resource, 403]);
    }
  });

  it('hidden stacks do not shorten the pages of a list', async () => {
    const shown = [
      await almanac.applyTemplate(),
      await almanac.applyTemplate(),
      await almanac.applyTemplate(),
    ];
    const hidden = [await almanac.applyTemplate(), await almanac.applyTemplate()];
    const names = hidden.map((id) => `mrn:alm:stack:${id}`);
    const others = (await listed(await almanac.userToken()))
      .filter((id) => !shown.includes(String(id)))
      .map((id) => `mrn:alm:stack:${String(id)}`);
    const { token } = await userWith('pager', allow(['*']), deny(['*'], [...new Set([...names, ...others])]));
    const first = await almanac.call<Json[]>('GET', '/v3/alm/stack?limit=2', { token });
    expect(first.body.map((stack) => stack.stack_id)).toEqual([shown[2], shown[1]]);
    const next = String(first.headers.get('x-next-cursor'));
    const second = await almanac.call<Json[]>('GET', `/v3/alm/stack?limit=2&cursor=${next}`, { token });
    expect(second.body.map((stack) => stack.stack_id)).toEqual([shown[0]]);
  });
});

describe('users', () => {
  it('a new user with the name of a deleted one inherits nothing', async () => {
    const first = await master.makeUser('reused');
    const stack = await almanac.applyTemplate(undefined, first.token);
    await master.call('DELETE', '/v3/user/reused');
    const second = await master.makeUser('reused');
    expect((await almanac.call('GET', `/v3/alm/stack/${stack}`, { token: second.token })).status).toBe(404);
    expect((await almanac.describe(stack)).username).toBe('root');
  });

  it('idempotency keys are separate for each user', async () => {
    const [one, other] = [await master.makeUser('twin1'), await master.makeUser('twin2')];
    const apply = (token: string) =>
      almanac.call('POST', '/v3/alm/template', {
        token,
        json: oneServer(),
        headers: { 'idempotency-key': 'same' },
      });
    expect((await apply(one.token)).body.stack_id).not.toBe((await apply(other.token)).body.stack_id);
  });

  it('an event stream ends when its user is deleted', async () => {
    const user = await master.makeUser('listener');
    const stack = await almanac.applyTemplate(undefined, user.token);
    const headers = { authorization: `Bearer ${user.token}` };
    const stream = await fetch(`${almanac.url}/v3/alm/stack/${stack}/events/stream`, { headers });
    await almanac.waitFor(stack, 'CREATE_COMPLETE');
    await master.call('DELETE', '/v3/user/listener');
    const text = await stream.text(); // ends at the next heartbeat at the latest
    expect(text).toContain('CREATE_IN_PROGRESS');
  });
});
