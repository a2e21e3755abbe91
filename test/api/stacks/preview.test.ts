import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, type Request, useServedAlmanac } from '../served-almanac.ts';

interface Preview extends Json {
  changes: { action: string; resource: string; resource_type: string; members: string[]; warning: string }[];
  warnings: string[];
  data: Json[];
}

const almanac = useServedAlmanac();
let token: string;
let stackId: string;
beforeAll(async () => {
  token = await almanac.userToken();
  stackId = await almanac.applyTemplate(oneServer(1));
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
});

const preview = (query: string, request: Request, as = token) =>
  almanac.call<Preview>('POST', `/v3/alm/template/preview${query}`, { token: as, ...request });
const previewUpdate = (json: unknown) => preview(`?stack_id=${stackId}`, { json });

/** All rows a preview could write by mistake. */
const rows = async () => {
  const { query } = almanac.service.database;
  return {
    stacks: await query
      .selectFrom('stacks')
      .select(['id', 'desired_version', 'event_count', 'wakes'])
      .execute(),
    versions: await query.selectFrom('versions').select('id').execute(),
    secrets: await query.selectFrom('version_secrets').selectAll().execute(),
    credentials: await query.selectFrom('credentials').selectAll().execute(),
    layers: await query.selectFrom('layer_revisions').selectAll().execute(),
  };
};

const withContainer = (container: object, template = oneServer(1)) => ({
  ...template,
  configurations: template.configurations.map((layer) => ({ ...layer, container })),
});

/** A complete stack with an unreachable vendor, so that it does not change any more. */
const unreachable = async (): Promise<string> => {
  const stack = await almanac.applyTemplate(oneServer(1));
  await almanac.waitFor(stack, 'CREATE_COMPLETE');
  const json = { kind: 'unreachable', seconds: 600, stack_id: stack };
  await almanac.call('POST', '/v3/sandbox/fault', { token, json });
  return stack;
};

const typed = (instanceType: string) => {
  const template = oneServer(1);
  for (const { provision } of template.configurations) provision.instance_type = instanceType;
  return template;
};

describe('previewing a new stack', () => {
  it('a preview lists the resources to create and creates nothing', async () => {
    const before = await rows();
    const { status, body } = await preview('', { json: oneServer(2) });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'success', warnings: [] });
    expect(body.changes.every(({ action }) => action === 'add')).toBe(true);
    expect(body.changes.filter((change) => change.resource_type === 'Instance')).toHaveLength(2);
    expect(body).not.toHaveProperty('diff');
    expect(body).not.toHaveProperty('stack_id');
    expect(await rows()).toEqual(before);
  });

  it('a preview does not save a credential from the template', async () => {
    const before = await rows();
    const vendor = { sandbox: { cred: 'NEW', region: 'ap-northeast-1', secret: 'hidden-secret' } };
    const answer = await preview('', { json: { ...oneServer(1), vendor } });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('hidden-secret');
    expect(await rows()).toEqual(before);
  });

  it('a preview accepts YAML, wrapped and form bodies', async () => {
    const yaml = {
      raw: `template: ${JSON.stringify(oneServer(1))}`,
      headers: { 'content-type': 'text/yaml' },
    };
    const bodies: Request[] = [
      yaml,
      { json: { template: oneServer(1) } },
      { form: { template: JSON.stringify(oneServer(1)) } },
    ];
    for (const request of bodies) expect((await preview('', request)).status).toBe(200);
  });

  it.each<[string, unknown]>([
    ['has no vendor', { ...oneServer(1), vendor: undefined }],
    ['has an unknown member', { ...oneServer(1), colour: 'red' }],
    [
      'names an unknown credential',
      { ...oneServer(1), vendor: { aws: { cred: 'NONE', region: 'us-east-1' } } },
    ],
    [
      'keeps a secret that was never set',
      withContainer({ container_registry_username: 'shop', container_registry_password: '${sealed}' }),
    ],
    ['is empty', {}],
  ])('a template that %s is rejected exactly like when it is applied', async (_, json) => {
    const previewed = await preview('', { json });
    const applied = await almanac.call<Preview>('POST', '/v3/alm/template', { token, json });
    expect(previewed.status).toBe(400);
    const withoutId = ({ request_id: _id, ...body }: Json) => body;
    expect(withoutId(previewed.body)).toEqual(withoutId(applied.body));
  });
});

describe('previewing an update', () => {
  it('a preview of the same template has no changes', async () => {
    const { status, body } = await previewUpdate(oneServer(1));
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      stack_id: stackId,
      changes: [],
      warnings: [],
      data: [],
      diff: { new: [], removed: [], edited: {} },
      cost: { kind: 'simulated', notes: [expect.stringContaining('simulated')] },
    });
  });

  it('a preview reports replaced and lost resources and does not change the stack', async () => {
    const before = await rows();
    const { body } = await previewUpdate(typed('m4.large'));
    expect(body.changes).toEqual([
      {
        action: 'replace',
        resource: expect.any(String),
        resource_type: 'Instance',
        members: ['instanceType'],
        warning: '',
      },
    ]);
    const sentence = expect.stringMatching(/^Instance \S+ \(i-\S+\) is replaced by a new one\. .*lost/);
    expect(body.data).toMatchObject([
      { kind: 'disk', action: 'replace', confirm: ['servers=replace'], sentence },
    ]);
    expect(body.warnings).toEqual([body.data[0]?.sentence]);
    expect(body.diff).toEqual({
      new: [],
      removed: [],
      edited: {
        'configurations/provision/instance_type': { oldvalue: 't2.micro', newvalue: 'm4.large' },
      },
    });
    expect(await rows()).toEqual(before);
  });

  it('a preview of an update ignores the vendor section', async () => {
    const { vendor: _, ...template } = oneServer(1);
    expect((await previewUpdate(template)).body.diff).toEqual({ new: [], removed: [], edited: {} });
    expect((await previewUpdate(oneServer(1, 'us-east-1'))).status).toBe(200);
  });

  it('a preview rejects an invalid template', async () => {
    expect((await previewUpdate({ ...oneServer(1), colour: 'red' })).body).toMatchObject({ code: '1006' });
    const unkept = await previewUpdate(
      withContainer({ container_registry_username: 'shop', container_registry_password: '${sealed}' }),
    );
    expect(unkept.status).toBe(400);
    expect(unkept.body).toMatchObject({ problems: [{ path: 'web0/registry_password' }] });
  });

  it('a preview uses stored secrets and never returns them', async () => {
    const secret = await almanac.applyTemplate(
      withContainer({ container_registry_username: 'shop', container_registry_password: 'hidden-one' }),
    );
    for (const password of ['${sealed}', 'hidden-two']) {
      const json = withContainer({
        container_registry_username: 'shop',
        container_registry_password: password,
      });
      const answer = await preview(`?stack_id=${secret}`, { json });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain('hidden');
    }
  });

  it('a preview of a stack in progress reports it', async () => {
    const slow = await unreachable();
    await almanac.call('PUT', `/v3/alm/template/${slow}`, { token, json: oneServer(2) });
    const { body } = await preview(`?stack_id=${slow}`, { json: oneServer(2) });
    const { version_id: version } = await almanac.describe(slow);
    expect(body.changes).toEqual([]);
    expect(body.warnings).toEqual([
      expect.stringContaining(`not reached version ${String(version)} yet`),
      expect.stringContaining('could not be reached'),
    ]);
  });

  it('after a failed update, a preview lists what is missing and not what was never made', async () => {
    const failed = await almanac.applyTemplate(oneServer(1));
    await almanac.waitFor(failed, 'CREATE_COMPLETE');
    const fault = { kind: 'fail_resource', position: 1, stack_id: failed };
    await almanac.call('POST', '/v3/sandbox/fault', { token, json: fault });
    await almanac.call('PUT', `/v3/alm/template/${failed}`, { token, json: oneServer(2) });
    await almanac.waitFor(failed, 'UPDATE_FAILED');
    const changesFor = async (json: unknown) => {
      const { body } = await preview(`?stack_id=${failed}`, { json });
      expect(body.warnings[0]).toMatch(
        /not reached version \S+ yet; the changes are relative to what is there/,
      );
      return body.changes.map(({ action, resource_type }) => `${action} ${resource_type}`);
    };
    expect(await changesFor(oneServer(1))).toEqual([]);
    expect(await changesFor(oneServer(2))).toEqual(['add Instance']);
  });

  it('a preview of a stack that is being deleted is a conflict', async () => {
    const leaving = await unreachable();
    await almanac.call('DELETE', `/v3/alm/stack/${leaving}?servers=replace`, { token });
    expect((await preview(`?stack_id=${leaving}`, { json: oneServer(1) })).status).toBe(409);
  });

  it('a preview does not find stacks of another account, and returns 401 without a token and 403 to an API client', async () => {
    const [path, json] = [`?stack_id=${stackId}`, oneServer(1)];
    expect((await preview(path, { json }, await almanac.otherAccountToken())).status).toBe(404);
    expect((await preview(path, { json }, await almanac.clientToken())).status).toBe(403);
    expect((await almanac.call('POST', `/v3/alm/template/preview${path}`, { json })).status).toBe(401);
  });
});
