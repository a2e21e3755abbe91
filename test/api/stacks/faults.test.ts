import { beforeAll, describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

const inject = (json: object, as = token) => almanac.call('POST', '/v3/sandbox/fault', { token: as, json });

describe('an injected fault', () => {
  it('an injected fault fails the next stack with its reason until it is cleared', async () => {
    const answer = await inject({ kind: 'fail_resource', position: 2, reason: 'No more room on the moon.' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', message: expect.stringMatching(/./) });
    const failed = await almanac.waitFor(await almanac.applyTemplate(), 'CREATE_FAILED');
    expect(failed.stack_status_reason).toContain('No more room on the moon.');
    expect((await inject({ kind: 'clear' })).status).toBe(200);
    await almanac.waitFor(await almanac.applyTemplate(), 'CREATE_COMPLETE');
  });

  it('a fault can be injected with a form', async () => {
    const form = { kind: 'fail_resource', position: '1' };
    expect((await almanac.call('POST', '/v3/sandbox/fault', { token, form })).status).toBe(200);
    await inject({ kind: 'clear' });
  });

  it('a shared resource makes the deletion fail until the fault is cleared and deletion is requested again', async () => {
    const stackId = await almanac.applyTemplate();
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const withStack = 'mo-5447826c870e7-aB3dE6gH9-tk';
    expect((await inject({ kind: 'share_resource', stack_id: stackId, with_stack: withStack })).status).toBe(
      200,
    );
    await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token });
    const failed = await almanac.waitFor(stackId, 'DELETE_FAILED');
    expect(failed.stack_status_reason).toContain(withStack);
    await inject({ kind: 'clear', stack_id: stackId });
    expect((await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token })).status).toBe(
      200,
    );
    await almanac.waitFor(stackId, 'DELETE_COMPLETE');
  });

  it.each<[string, object, number, string]>([
    ['an unknown kind', { kind: 'earthquake' }, 400, '1000'],
    ['no kind', {}, 400, '1000'],
    ['an invalid position', { kind: 'fail_resource', position: 0 }, 400, '1000'],
    ['a missing position', { kind: 'fail_resource' }, 400, '1000'],
    ['missing seconds', { kind: 'unreachable' }, 400, '1000'],
    ['an unknown credential', { kind: 'clear', cred: 'UNKNOWN' }, 404, '0404'],
    ['an unknown stack', { kind: 'clear', stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk' }, 404, '0404'],
  ])('rejects a fault with %s', async (_, json, status, code) => {
    const answer = await inject(json);
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
  });

  it('API clients and stacks cannot inject faults, and faults do not reach other accounts', async () => {
    const stackId = await almanac.applyTemplate();
    expect((await inject({ kind: 'clear' }, await almanac.clientToken())).status).toBe(403);
    expect((await inject({ kind: 'clear' }, await almanac.stackToken(stackId))).status).toBe(403);
    const other = await almanac.otherAccountToken();
    expect((await inject({ kind: 'clear', stack_id: stackId }, other)).status).toBe(404);
  });
});

describe('the faults in force', () => {
  const listed = async (query = '', as = token) => {
    const answer = await almanac.call<object[]>('GET', `/v3/sandbox/fault${query}`, { token: as });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it('are listed with their details until they have happened or are cleared', async () => {
    const stackId = await almanac.applyTemplate();
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const other = 'mo-5447826c870e7-aB3dE6gH9-tk';
    await inject({ kind: 'share_resource', stack_id: stackId, with_stack: other });
    await inject({ kind: 'fail_resource', position: 1, reason: 'No room.' });
    const fail = { kind: 'fail_resource', stack_id: null, position: 1, reason: 'No room.' };
    const share = { kind: 'share_resource', stack_id: stackId, with_stack: other };
    expect(await listed()).toEqual(expect.arrayContaining([fail, expect.objectContaining(share)]));
    await almanac.waitFor(await almanac.applyTemplate(), 'CREATE_FAILED');
    expect(await listed()).not.toContainEqual(fail);
    await inject({ kind: 'clear' });
    expect(await listed()).toEqual([]);
  });

  it('of a stack are those that can reach it, also while its cloud does not answer', async () => {
    const [stackId, other] = [await almanac.applyTemplate(), await almanac.applyTemplate()];
    await inject({ kind: 'unreachable', stack_id: stackId, seconds: 60 });
    await inject({ kind: 'fail_resource', stack_id: other, position: 1 });
    expect(await listed(`?stack_id=${stackId}`)).toEqual([
      { kind: 'unreachable', stack_id: stackId, until: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    await inject({ kind: 'clear' });
  });

  it('of a stack leave the list when it is deleted, and a deleted stack gets no new ones', async () => {
    const stackId = await almanac.applyTemplate();
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const fault = { kind: 'fail_resource', stack_id: stackId, position: 1 };
    await inject(fault);
    expect(await listed()).toContainEqual(expect.objectContaining(fault));
    await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token });
    await almanac.waitFor(stackId, 'DELETE_COMPLETE');
    expect(await listed()).toEqual([]);
    expect((await inject(fault)).status).toBe(404);
    await inject({ kind: 'clear' });
  });

  it('are listed for the master of their account only', async () => {
    await inject({ kind: 'fail_resource', position: 1 });
    const refused = await almanac.call('GET', '/v3/sandbox/fault', { token: await almanac.clientToken() });
    expect(refused.status).toBe(403);
    expect(await listed('', await almanac.otherAccountToken())).toEqual([]);
    await inject({ kind: 'clear' });
  });

  it('of an unknown stack or credential are refused', async () => {
    for (const query of ['?stack_id=mo-5447826c870e7-aB3dE6gH9-tk', '?cred=UNKNOWN']) {
      const answer = await almanac.call('GET', `/v3/sandbox/fault${query}`, { token });
      expect([answer.status, answer.body.code]).toEqual([404, '0404']);
    }
  });
});
