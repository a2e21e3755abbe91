import { beforeAll, describe, expect, it } from 'vitest';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { balanced, V2Caller } from './caller.ts';

const almanac = useServedAlmanac();
let v2: V2Caller;
let token: string;
beforeAll(async () => {
  v2 = await V2Caller.of(almanac);
  token = v2.token;
});

describe('v2 update', () => {
  it('a v2 update changes only the members sent, as an object or as a JSON string', async () => {
    const stack = await v2.settled(balanced);
    const path = `/v2/alm/stack/${stack}`;
    const answer = await almanac.call('PUT', path, { token, json: { configurations: '{"min":3,"max":6}' } });
    expect([answer.status, answer.body]).toEqual([200, { status: 'UPDATE_IN_PROGRESS' }]);
    await v2.waitFor(stack, 'UPDATE_COMPLETE');
    const updated = await v2.describe(stack);
    expect(updated.configuration).toMatchObject({
      min: '3',
      max: '6',
      type: 't2.micro',
      spotRange: '50',
      image: 'library/nginx',
    });
    expect(updated.instances).toHaveLength(3);
    await almanac.call('PUT', path, { token, json: { configurations: { type: 'm5.large' } } });
    await v2.waitFor(stack, 'UPDATE_COMPLETE');
    expect((await v2.describe(stack)).configuration).toMatchObject({ type: 'm5.large', min: '3' });
  });

  it('two concurrent v2 updates of different members are both applied', async () => {
    const stack = await v2.settled(balanced);
    const path = `/v2/alm/stack/${stack}`;
    const changes = [{ max: 7 }, { type: 'm5.large' }, { spotRange: 10 }, { image: 'library/httpd' }];
    const answers = await Promise.all(
      changes.map((configurations) => almanac.call('PUT', path, { token, json: { configurations } })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    await v2.waitFor(stack, 'UPDATE_COMPLETE');
    expect((await v2.describe(stack)).configuration).toMatchObject({
      max: '7',
      type: 'm5.large',
      spotRange: '10',
      image: 'library/httpd',
    });
  });

  it('a v2 update keeps secrets that it does not name', async () => {
    const stack = await v2.settled({ ...balanced, code: 'git@git.test:a.git', gitPrivateKey: 'KEPT-KEY' });
    await almanac.call('PUT', `/v2/alm/stack/${stack}`, { token, json: { configurations: { max: 5 } } });
    const config = await almanac.call('GET', `/v3/alm/agent/config?stack_id=${stack}&flag=any`, { token });
    expect(config.body).toMatchObject({ gitPrivateKey: 'KEPT-KEY', image: 'library/nginx' });
  });

  it('rejects an invalid v2 update, and updates of a deleted or unknown stack', async () => {
    const stack = await v2.settled(balanced);
    const path = `/v2/alm/stack/${stack}`;
    expect((await almanac.call('PUT', path, { token, json: { configurations: { min: 9 } } })).status).toBe(
      400,
    );
    expect((await almanac.call('PUT', path, { token, json: { configurations: '{"min":' } })).status).toBe(
      400,
    );
    await almanac.call('DELETE', path, { token });
    expect([404, 409]).toContain(
      (await almanac.call('PUT', path, { token, json: { configurations: { max: 5 } } })).status,
    );
    expect((await almanac.call('PUT', '/v2/alm/stack/mo-none', { token, json: {} })).status).toBe(404);
  });
});

describe('server configuration and code', () => {
  const versionOf = async (stack: string): Promise<string> => {
    const events = await almanac.call<Json[]>('GET', `/v2/alm/stack/${stack}/events`, { token });
    return String(events.body.findLast((event) => event.kind === 'request')?.version_id);
  };
  const writes: [string, (stack: string) => [string, string, object]][] = [
    ['serverconfig', (stack) => ['PUT', `/v2/alm/serverconfig?stack_id=${stack}`, { envvars: { A: '1' } }]],
    ['code', (stack) => ['POST', `/v2/alm/stack/${stack}/code`, { method: 'git', filepath: 'x.git' }]],
    ['code again', (stack) => ['POST', `/v2/alm/stack/${stack}/code`, { method: 'git' }]],
  ];

  it.each(writes)('%s: If-Match and Idempotency-Key apply', async (_, write) => {
    const stack = await v2.settled({ ...balanced, code: 'y.git' });
    const [method, path, json] = write(stack);
    const send = (headers: Record<string, string>) => almanac.call(method, path, { token, headers, json });
    const version = await versionOf(stack);
    const stale = await send({ 'if-match': 'another' });
    expect([stale.status, stale.body.code]).toEqual([412, '2002']);
    const headers = { 'if-match': version, 'idempotency-key': `once ${stack}` };
    const config = async () =>
      (await almanac.call('GET', `/v2/alm/serverconfig?stack_id=${stack}`, { token })).body;
    expect((await send(headers)).body).toEqual({ status: 'success' });
    const after = await config();
    expect((await send(headers)).body).toEqual({ status: 'success' });
    expect(await config()).toEqual(after);
    const other = await almanac.call(method, path, { token, headers, json: { ...json, branch: 'other' } });
    expect([other.status, other.body.code]).toEqual([409, '2001']);
  });
});

describe('v2 delete', () => {
  it('a v2 delete replies immediately and removes everything', async () => {
    const stack = await v2.settled(balanced);
    const answer = await almanac.call('DELETE', `/v2/alm/stack/${stack}?servers=replace`, { token });
    expect([answer.status, answer.body]).toEqual([200, { status: 'DELETE_IN_PROGRESS' }]);
    await v2.waitFor(stack, 'DELETE_COMPLETE');
    expect((await almanac.call('GET', '/v2/alm/stack', { token })).text).not.toContain(stack);
    expect((await almanac.call('DELETE', `/v2/alm/stack/${stack}?servers=replace`, { token })).status).toBe(
      404,
    );
  });
});
