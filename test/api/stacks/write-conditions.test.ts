import { describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

const send = async (
  method: string,
  path: string,
  json: unknown,
  headers: Record<string, string>,
  token?: string,
) =>
  almanac.call(method, path, {
    token: token ?? (await almanac.userToken()),
    headers,
    ...(json ? { json } : {}),
  });
const apply = (json: unknown, headers: Record<string, string>, token?: string) =>
  send('POST', '/v3/alm/template', json, headers, token);
const countStacks = async () =>
  (await almanac.call<unknown[]>('GET', '/v3/alm/stack', { token: await almanac.userToken() })).body.length;

describe('Idempotency-Key', () => {
  it('repeated requests with one key create one stack, also concurrently and after a restart', async () => {
    const before = await countStacks();
    const headers = { 'idempotency-key': 'create-1' };
    const first = await apply(oneServer(), headers);
    const again = await Promise.all([1, 2, 3].map(() => apply(oneServer(), headers)));
    await almanac.restart();
    again.push(await apply(oneServer(), headers));
    expect(first.status).toBe(201);
    for (const answer of again) expect([answer.status, answer.body]).toEqual([201, first.body]);
    expect(await countStacks()).toBe(before + 1);
  });

  it('concurrent requests with one key create one stack', async () => {
    const before = await countStacks();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => apply(oneServer(), { 'idempotency-key': 'race' })),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(await countStacks()).toBe(before + 1);
  });

  it('an update with one key sent twice creates one version, even if the stack is deleted in between', async () => {
    const stack = await almanac.applyTemplate();
    const headers = { 'idempotency-key': 'update-1' };
    const first = await send('PUT', `/v3/alm/template/${stack}`, oneServer(2), headers);
    await send('DELETE', `/v3/alm/stack/${stack}?servers=replace`, null, {});
    const again = await send('PUT', `/v3/alm/template/${stack}`, oneServer(2), headers);
    expect([again.status, again.body]).toEqual([202, first.body]);
  });

  it('concurrent updates with one key get the same reply, also with If-Match', async () => {
    const stack = await almanac.applyTemplate();
    const { version_id: current } = await almanac.describe(stack);
    const headers = { 'idempotency-key': 'twins', 'if-match': String(current) };
    const twins = await Promise.all(
      Array.from({ length: 6 }, () => send('PUT', `/v3/alm/template/${stack}`, oneServer(2), headers)),
    );
    expect(new Set(twins.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(twins[0]?.status).toBe(202);
  });

  it('a key used for another request is a conflict', async () => {
    await apply(oneServer(), { 'idempotency-key': 'one-use' });
    const answer = await apply(oneServer(2), { 'idempotency-key': 'one-use' });
    expect([answer.status, answer.body.code]).toEqual([409, '2001']);
  });

  it('a rejected request does not use up its key, and accounts have separate keys', async () => {
    const headers = { 'idempotency-key': 'shared-name' };
    expect((await apply({ ...oneServer(), version: '1999-01-01' }, headers)).status).toBe(400);
    const mine = await apply(oneServer(), headers);
    const theirs = await apply(oneServer(), headers, await almanac.otherAccountToken());
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.stack_id).not.toBe(mine.body.stack_id);
  });
});

describe('If-Match', () => {
  it('If-Match accepts a change of the current version, quoted or not, and rejects others with 412', async () => {
    const stack = await almanac.applyTemplate();
    const path = `/v3/alm/template/${stack}`;
    const { version_id: first } = (
      await almanac.call('GET', `/v3/alm/stack/${stack}`, { token: await almanac.userToken() })
    ).body;
    const accepted = await send('PUT', path, oneServer(2), { 'if-match': `"${String(first)}"` });
    expect(accepted.status).toBe(202);
    const stale = await send('PUT', path, oneServer(3), { 'if-match': String(first) });
    expect([stale.status, stale.body.code]).toEqual([412, '2002']);
    expect(stale.body.message).toContain(String(accepted.body.version_id));
    expect(
      (await send('DELETE', `/v3/alm/stack/${stack}?servers=replace`, null, { 'if-match': String(first) }))
        .status,
    ).toBe(412);
    expect(
      (await send('DELETE', `/v3/alm/stack/${stack}?servers=replace`, null, { 'if-match': '*' })).status,
    ).toBe(200);
  });
});
