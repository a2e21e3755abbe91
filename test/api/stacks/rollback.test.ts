import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Request, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

/** A rollback removes servers that a later version added. */
const confirmed = { rollback: '?servers=replace', 'rollback/preview': '', cancel: '' };
const post = (stackId: string, verb: 'rollback' | 'rollback/preview' | 'cancel', request: Request = {}) =>
  almanac.call('POST', `/v3/alm/stack/${stackId}/${verb}${confirmed[verb]}`, { token, ...request });
const update = (stackId: string, servers: number) =>
  almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: oneServer(servers) });
const fault = (stackId: string, json: object) =>
  almanac.call('POST', '/v3/sandbox/fault', { token, json: { ...json, stack_id: stackId } });

/** A complete stack of one server, and its version. */
const created = async () => {
  const stackId = await almanac.applyTemplate(oneServer(1));
  return { stackId, first: String((await almanac.waitFor(stackId, 'CREATE_COMPLETE')).version_id) };
};

describe('rolling back', () => {
  it.each<[string, (version_id: string) => Request]>([
    ['JSON', (version_id) => ({ json: { version_id } })],
    ['a form', (version_id) => ({ form: { version_id } })],
  ])('a rollback requested in %s restores the older version as a new one', async (_, request) => {
    const { stackId, first } = await created();
    await update(stackId, 3);
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    const answer = await post(stackId, 'rollback', request(first));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      status: 'success',
      stack_status: 'UPDATE_IN_PROGRESS',
      stack_id: stackId,
      version_id: expect.stringMatching(/^\S{32}$/),
    });
    expect(answer.body.version_id).not.toBe(first);
    const stack = await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(stack).toMatchObject({ version_id: answer.body.version_id, configuration: oneServer(1) });
    expect(stack.instances).toHaveLength(1);
  });

  it('a rollback requires a version_id of an existing version', async () => {
    const { stackId } = await created();
    for (const json of [{}, { version_id: '' }]) {
      const answer = await post(stackId, 'rollback', { json });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: '1000', problems: [{ path: 'version_id' }] });
    }
    const unknown = await post(stackId, 'rollback', { json: { version_id: 'nothing' } });
    expect(unknown.status).toBe(404);
    expect(await almanac.describe(stackId)).toMatchObject({ stack_status: 'CREATE_COMPLETE' });
  });

  it('a rollback of a stack that is being deleted is a conflict', async () => {
    const { stackId, first } = await created();
    await fault(stackId, { kind: 'unreachable', seconds: 600 });
    await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token });
    const answer = await post(stackId, 'rollback', { json: { version_id: first } });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: '2001' });
  });
});

describe('cancelling an update', () => {
  it('cancelling an update restores the last complete version', async () => {
    const { stackId, first } = await created();
    await fault(stackId, { kind: 'unreachable', seconds: 600 });
    await update(stackId, 4);
    const answer = await post(stackId, 'cancel');
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      status: 'success',
      stack_status: 'UPDATE_IN_PROGRESS',
      stack_id: stackId,
      version_id: first,
    });
    expect(await almanac.describe(stackId)).toMatchObject({
      stack_status: 'UPDATE_IN_PROGRESS',
      version_id: first,
    });
    await fault(stackId, { kind: 'clear' });
    const stack = await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(stack).toMatchObject({ version_id: first, configuration: oneServer(1) });
    expect(stack.instances).toHaveLength(1);
    const events = await almanac.call<{ message: string }[]>('GET', `/v3/alm/stack/${stackId}/events`, {
      token,
    });
    expect(events.body.map((event) => event.message)).toContain(
      `root cancelled the update; going back to version ${first}.`,
    );
  });

  it('cancelling without an update in progress is a conflict with advice', async () => {
    const { stackId } = await created();
    const answer = await post(stackId, 'cancel');
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: '2001',
      error: 'conflict',
      message: `Stack ${stackId} has no update in progress`,
      description: expect.stringMatching(/roll back/),
    });
  });
});

describe('conditions', () => {
  it('requests with the same Idempotency-Key are one rollback and one cancellation', async () => {
    const { stackId, first } = await created();
    const rollback = { json: { version_id: first }, headers: { 'idempotency-key': `roll back ${stackId}` } };
    const [once, twice] = [
      await post(stackId, 'rollback', rollback),
      await post(stackId, 'rollback', rollback),
    ];
    expect(once.status).toBe(202);
    expect(twice.body).toEqual(once.body);
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    await fault(stackId, { kind: 'unreachable', seconds: 600 });
    await update(stackId, 2);
    const cancel = { headers: { 'idempotency-key': `cancel ${stackId}` } };
    const cancelled = await post(stackId, 'cancel', cancel);
    await fault(stackId, { kind: 'clear' });
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect((await post(stackId, 'cancel', cancel)).body).toEqual(cancelled.body);
    const versions = await almanac.call<unknown[]>('GET', `/v3/alm/template?stack_id=${stackId}`, { token });
    expect(versions.body).toHaveLength(3);
  });

  it('If-Match rejects a request for an older version', async () => {
    const { stackId, first } = await created();
    await update(stackId, 2);
    const headers = { 'if-match': `"${first}"` };
    const { status } = await post(stackId, 'rollback', { json: { version_id: first }, headers });
    expect(status).toBe(412);
    expect((await post(stackId, 'cancel', { headers })).status).toBe(412);
    expect((await almanac.waitFor(stackId, 'UPDATE_COMPLETE')).instances).toHaveLength(2);
  });
});

describe('a preview of a rollback', () => {
  it('says what it changes and what becomes of data, and changes nothing', async () => {
    const { stackId, first } = await created();
    await update(stackId, 2);
    const before = await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    const { status, body } = await post(stackId, 'rollback/preview', { json: { version_id: first } });
    expect(status).toBe(200);
    const sentence = expect.stringMatching(/^Instance .* is removed. What is only on its disk is lost.$/);
    expect(body).toMatchObject({
      changes: [{ action: 'remove', resource_type: 'Instance' }],
      data: [{ kind: 'disk', confirm: ['servers=replace'], sentence }],
      warnings: [sentence],
    });
    expect(await almanac.describe(stackId)).toMatchObject({ version_id: before.version_id });
  });

  it('of an unknown version is not found, and without a version invalid', async () => {
    const { stackId } = await created();
    expect((await post(stackId, 'rollback/preview', { json: { version_id: 'none' } })).status).toBe(404);
    expect((await post(stackId, 'rollback/preview', { json: {} })).status).toBe(400);
  });
});

describe('access', () => {
  it.each(['rollback', 'rollback/preview', 'cancel'] as const)(
    'only users of the account can %s',
    async (verb) => {
      const { stackId, first } = await created();
      const json = { version_id: first };
      const as = async (who?: string) =>
        (
          await almanac.call('POST', `/v3/alm/stack/${stackId}/${verb}`, {
            json,
            ...(who ? { token: who } : {}),
          })
        ).status;
      expect(await as()).toBe(401);
      expect(await as(await almanac.clientToken())).toBe(403);
      expect(await as(await almanac.stackToken(stackId))).toBe(403);
      expect(await as(await almanac.otherAccountToken())).toBe(404);
      expect(await almanac.describe(stackId)).toMatchObject({
        version_id: first,
        stack_status: 'CREATE_COMPLETE',
      });
    },
  );
});
