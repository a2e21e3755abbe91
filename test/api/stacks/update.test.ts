import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, ServedAlmanac, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

const update = (stackId: string, json: unknown) =>
  almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json });
const created = async () => {
  const stackId = await almanac.applyTemplate();
  return almanac.waitFor(stackId, 'CREATE_COMPLETE');
};

describe('updating a template', () => {
  it('an update creates a new version and brings the stack to it', async () => {
    const before = await created();
    const stackId = String(before.stack_id);
    const answer = await update(stackId, oneServer(3));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      status: 'success',
      stack_status: 'UPDATE_IN_PROGRESS',
      stack_id: stackId,
      version_id: expect.stringMatching(/^[A-Za-z0-9._]{32}$/),
    });
    expect(answer.body.version_id).not.toBe(before.version_id);
    const after = await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(after.version_id).toBe(answer.body.version_id);
    expect(after.instances).toHaveLength(3);
    expect(after).toMatchObject({
      configuration: oneServer(3),
      auth_token: before.auth_token,
      nickname: before.nickname,
      create_time: before.create_time,
    });
  });

  it.each<[string, object]>([
    ['omits the vendor', { ...oneServer(2), vendor: undefined }],
    ['names another region', oneServer(2, 'us-east-1')],
    ['names another vendor', { ...oneServer(2), vendor: { alicloud: { cred: 'x', region: 'y' } } }],
    ['has an invalid vendor section', { ...oneServer(2), vendor: 'nonsense' }],
  ])('an update does not move the stack when the document %s', async (_, template) => {
    const stackId = String((await created()).stack_id);
    const configurations = oneServer(2).configurations;
    expect((await update(stackId, { ...template, configurations })).status).toBe(202);
    const after = await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(after.vendor).toBe('aws');
    expect(after.configuration).toEqual(oneServer(2));
    expect(after.instances).toHaveLength(2);
  });

  it('an invalid update is rejected with its problems and changes nothing', async () => {
    const before = await created();
    const answer = await update(String(before.stack_id), { ...oneServer(), configurations: [] });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('1006');
    expect(await almanac.describe(String(before.stack_id))).toEqual(before);
  });

  it('an update is accepted while the stack is being created, and the newest wins', async () => {
    const slow = await ServedAlmanac.start({ sandboxSpeed: 0.02 });
    const stackId = await slow.applyTemplate();
    const request = (count: number) => ({ token: slowToken, json: oneServer(count) });
    const slowToken = await slow.userToken();
    expect((await slow.call('PUT', `/v3/alm/template/${stackId}`, request(3))).status).toBe(202);
    expect((await slow.call('PUT', `/v3/alm/template/${stackId}`, request(2))).status).toBe(202);
    const stack = await slow.waitFor(stackId, 'UPDATE_COMPLETE', 15);
    expect(stack.instances).toHaveLength(2);
    await slow.close();
  });

  it('an update is rejected with 409 while the stack is being deleted', async () => {
    const slow = await ServedAlmanac.start({ sandboxSpeed: 0.3 });
    const stackId = await slow.applyTemplate();
    const slowToken = await slow.userToken();
    // Only existing resources take time to delete.
    await slow.waitFor(stackId, 'CREATE_COMPLETE', 15);
    await slow.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token: slowToken });
    const answer = await slow.call('PUT', `/v3/alm/template/${stackId}`, {
      token: slowToken,
      json: oneServer(2),
    });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: '2001',
      error: 'conflict',
      message: `Stack ${stackId} is being deleted`,
    });
    expect((await slow.describe(stackId)).stack_status).toBe('DELETE_IN_PROGRESS');
    await slow.close();
  });
});

describe('an unknown stack', () => {
  const unknown = 'mo-5447826c870e7-aB3dE6gH9-tk';
  const calls: [string, string, unknown][] = [
    ['GET', '/v3/alm/stack/{id}', undefined],
    ['DELETE', '/v3/alm/stack/{id}', undefined],
    ['GET', '/v3/alm/stack/{id}/events', undefined],
    ['PUT', '/v3/alm/template/{id}', oneServer()],
  ];

  it.each(calls)(
    '%s %s replies identically to an unknown stack and one of another account',
    async (method, path, json) => {
      const others = await almanac.applyTemplate(oneServer(), await almanac.otherAccountToken());
      const answerFor = async (id: string): Promise<Json & { status: number }> => {
        const answer = await almanac.call(method, path.replace('{id}', id), {
          token,
          json,
          headers: { 'x-request-id': 'same' },
        });
        return { status: answer.status, ...(JSON.parse(answer.text.replaceAll(id, '<id>')) as Json) };
      };
      const answer = await answerFor(unknown);
      expect(answer).toMatchObject({ status: 404, code: '0404', message: 'Stack <id> does not exist' });
      expect(await answerFor(others)).toEqual(answer);
    },
  );
});
