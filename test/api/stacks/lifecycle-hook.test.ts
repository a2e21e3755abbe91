import { beforeAll, describe, expect, it } from 'vitest';
import { putLifecycleHook, readLifecycleHook } from '../../../src/operations/stacks/change/lifecycle-hook.ts';
import { restartInstance } from '../../../src/operations/stacks/change/restart-instance.ts';
import { clientActor } from '../../actors.ts';
import { eventually } from '../../http.ts';
import { type Answer, type Json, type Request, useServedAlmanac } from '../served-almanac.ts';
import { balanced, V2Caller } from '../v2/caller.ts';

const almanac = useServedAlmanac();
let v2: V2Caller;
let group: string;
let single: string;
beforeAll(async () => {
  v2 = await V2Caller.of(almanac);
  group = await settled(balanced);
  single = await settled({ architecture: 'art_single', type: 't2.micro', image: 'library/nginx' });
});

const reach = async (stackId: string, status: string): Promise<string> => {
  await eventually(
    () => v2.describe(stackId),
    (stack) => stack.stack_status === status,
  );
  return stackId;
};
const settled = async (configurations: object): Promise<string> =>
  reach(String((await v2.create(configurations)).body.stack_id), 'CREATE_COMPLETE');
const call = (method: string, path: string, request: Request = {}): Promise<Answer<Json>> =>
  almanac.call(method, `/v2/alm/stack/${path}`, { token: v2.token, ...request });
const put = (stackId: string, json: object = {}, token = v2.token) =>
  call('PUT', `${stackId}/lifecyclehook`, { token, json });
const get = (stackId: string, token = v2.token) => call('GET', `${stackId}/lifecyclehook`, { token });
const restart = (stackId: string, json: object, token = v2.token) =>
  call('POST', `${stackId}/restart_instance`, { token, json });
const idsOf = async (stackId: string) =>
  ((await v2.describe(stackId)).instances as Json[]).map((instance) => String(instance.InstanceId));
const messagesOf = async (stackId: string): Promise<string[]> => {
  const { query } = almanac.service.database;
  const rows = query.selectFrom('events').select('message').where('stack_id', '=', stackId).orderBy('number');
  return (await rows.execute()).map(({ message }) => message);
};
const unknown = 'mo-5447826c870e7-aB3dE6gH9-tk';

describe('the lifecycle hook', () => {
  it('a stack without a lifecycle hook returns 404 with the reason', async () => {
    const answer = await get(await settled(balanced));
    expect(answer.status).toBe(404);
    expect(answer.body.message).toContain('has no lifecycle hook');
  });

  it('the lifecycle hook is returned as strings, with a default of 3600 seconds', async () => {
    const answer = await put(group);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success' });
    expect((await get(group)).body).toEqual({
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      GlobalTimeout: '172800',
      LifecycleHookName: `${group}-lch-ists-tmnt`,
      HeartbeatTimeout: '3600',
    });
  });

  it.each<[string, Request, string, string]>([
    ['a number', { json: { heartbeat: 30 } }, '30', '3000'],
    ['text', { json: { heartbeat: '7200' } }, '7200', '172800'],
    ['a form', { form: { heartbeat: '120' } }, '120', '12000'],
    ['an empty string', { json: { heartbeat: '' } }, '3600', '172800'],
    ['no body', {}, '3600', '172800'],
  ])('the lifecycle hook accepts %s', async (_, request, heartbeat, global) => {
    expect((await call('PUT', `${group}/lifecyclehook`, request)).status).toBe(200);
    expect((await get(group)).body).toMatchObject({ HeartbeatTimeout: heartbeat, GlobalTimeout: global });
  });

  it('the lifecycle hook is recorded in the events and survives an update', async () => {
    await put(group, { heartbeat: 90 });
    expect(await messagesOf(group)).toContain(
      'lg-first-client put a lifecycle hook with a heartbeat of 90 seconds.',
    );
    expect((await v2.update(group, { min: 3 })).status).toBe(200);
    await reach(group, 'UPDATE_COMPLETE');
    expect((await get(group)).body.HeartbeatTimeout).toBe('90');
  });

  it.each([29, 7201, 60.5, -60, 'soon', '60s', true, null, [60]])(
    'the lifecycle hook rejects heartbeat %j',
    async (heartbeat) => {
      await put(group, { heartbeat: 90 });
      const answer = await put(group, { heartbeat });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: '1000', message: expect.stringContaining('heartbeat') });
      expect((await get(group)).body.HeartbeatTimeout).toBe('90');
    },
  );

  it('the lifecycle hook is rejected for a stack without an autoscaling group', async () => {
    for (const answer of [await put(single), await get(single)]) {
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('has no autoscaling group');
    }
  });

  it('the lifecycle hook returns 409 before the group exists, and 502 while the vendor is unreachable', async () => {
    const token = await almanac.userToken();
    const fault = (json: object) => almanac.call('POST', '/v3/sandbox/fault', { token, json });
    const early = await settled(balanced);
    await almanac.service.database.query.deleteFrom('sandbox_stacks').where('stack_id', '=', early).execute();
    expect((await put(early)).status).toBe(409);
    await fault({ kind: 'unreachable', seconds: 3600, stack_id: group });
    const answers = [await put(group), await get(group), await restart(group, { instance_id: 'i-any' })];
    await fault({ kind: 'clear', stack_id: group });
    expect(answers.map(({ status }) => status)).toEqual([502, 502, 502]);
    expect((await put(group)).status).toBe(200);
  });
});

describe('restarting an instance', () => {
  it('restarting an instance of a group replaces it and protects it for the heartbeat', async () => {
    const [old = ''] = await idsOf(group);
    await put(group, { heartbeat: 3600 });
    const count = (await idsOf(group)).length;
    const answer = await restart(group, { instance_id: old });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'success',
      reason: `Instance ${old} was removed from the autoscaling group with a protection period of 3600 seconds`,
    });
    await expect.poll(() => idsOf(group)).not.toContain(old);
    expect(await idsOf(group)).toHaveLength(count);
    expect(await messagesOf(group)).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`lg-first-client asked to restart instance ${old}.`),
        `Old instance ${old} drained and terminated.`,
      ]),
    );
    expect((await restart(group, { instance_id: old })).status).toBe(404);
  });

  it('restarting a single instance reboots it', async () => {
    const [server = ''] = await idsOf(single);
    const form = { instance_id: server };
    const answer = await call('POST', `${single}/restart_instance`, { form });
    expect(answer.body).toEqual({ status: 'success', reason: expect.stringContaining('is being rebooted') });
    const message = `Instance ${server} has been rebooted.`;
    await expect.poll(() => messagesOf(single)).toContain(message);
    expect(await idsOf(single)).toEqual([server]);
  });

  it('restarting requires an instance of this stack', async () => {
    expect((await restart(group, {})).body).toMatchObject({
      code: '1000',
      message: 'instance_id not specified',
    });
    expect((await restart(group, { instance_id: '' })).status).toBe(400);
    expect((await restart(group, { instance_id: 'i-none' })).status).toBe(404);
    expect((await restart(group, { instance_id: (await idsOf(single))[0] })).status).toBe(404);
  });
});

describe('lifecycle hook and restart', () => {
  const all = (stackId: string, token = v2.token) =>
    Promise.all([
      put(stackId, {}, token),
      get(stackId, token),
      restart(stackId, { instance_id: 'i-1' }, token),
    ]);
  const statuses = async (answers: Promise<Answer<Json>[]>) => (await answers).map(({ status }) => status);

  it('lifecycle hook and restart are for v2 stacks only', async () => {
    expect(await statuses(all(await almanac.applyTemplate()))).toEqual([404, 404, 404]);
    expect(await statuses(all(unknown))).toEqual([404, 404, 404]);
  });

  it('lifecycle hook and restart are forbidden to a stack token, and another account finds nothing', async () => {
    const { auth_token } = await v2.describe(group);
    const login = { client_id: group, client_secret: auth_token, grant_type: 'client_credentials' };
    const answer = await almanac.call('POST', '/v3/access_token', { json: login });
    expect(await statuses(all(group, String(answer.body.access_token)))).toEqual([403, 403, 403]);
    expect(await statuses(all(group, await almanac.otherAccountToken()))).toEqual([404, 404, 404]);
  });

  it('lifecycle hook and restart change nothing on a stack that is being deleted', async () => {
    const leaving = await settled(balanced);
    const { query } = almanac.service.database;
    await query.updateTable('stacks').set({ operation: 'DELETE' }).where('id', '=', leaving).execute();
    expect((await put(leaving)).status).toBe(409);
    expect((await restart(leaving, { instance_id: 'i-1' })).status).toBe(409);
  });

  it('lifecycle hook and restart are rejected if the vendor does not support them', async () => {
    const { service } = almanac;
    const sandbox = service.vendors.get('sandbox');
    if (!sandbox) throw new Error('There is always a sandbox.');
    const connect: typeof sandbox.connect = (access) => {
      const driver = sandbox.connect(access);
      return {
        observe: (stack) => driver.observe(stack),
        apply: (...args) => driver.apply(...args),
        remove: (...args) => driver.remove(...args),
        cancelUpdate: (...args) => driver.cancelUpdate(...args),
      };
    };
    const plain = { ...service, vendors: new Map([['sandbox', { ...sandbox, connect }]]) };
    const actor = clientActor(String((await v2.describe(group)).user_id));
    const rejection = { kind: 'invalid_request', message: expect.stringContaining('Vendor aws') };
    await expect(putLifecycleHook(plain, actor, { stackId: group })).rejects.toMatchObject(rejection);
    await expect(readLifecycleHook(plain, actor, group)).rejects.toMatchObject(rejection);
    await expect(restartInstance(plain, actor, { stackId: group, instanceId: 'i-1' })).rejects.toMatchObject(
      rejection,
    );
  });
});
