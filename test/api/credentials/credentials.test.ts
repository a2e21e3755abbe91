import { describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Request, useServedAlmanac } from '../served-almanac.ts';
import { CredentialCaller, type Entry, keyOf } from './credential-caller.ts';

const almanac = useServedAlmanac();
const caller = new CredentialCaller(almanac);

describe('listing credentials', () => {
  it.each(['/v2/credentials', '/v3/credentials'])('%s is an object from vendor to entries', async (path) => {
    const answer = await caller.call<Record<string, Entry[]>>('GET', path);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(['aws', 'sandbox']));
    expect(answer.body['aws']).toContainEqual({
      id: 'SANDBOX',
      account: 'sandbox',
      lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it.each(['/v2/credentials/aws', '/v3/credentials/AWS'])('%s is an array', async (path) => {
    const answer = await caller.call<Entry[]>('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.body.map(({ id }) => id)).toContain('SANDBOX');
  });

  it('a vendor without credentials has an empty list, and an unknown vendor is rejected with the known names', async () => {
    expect(await caller.listed('openstack')).toEqual([]);
    const answer = await caller.call('GET', '/v3/credentials/clowd');
    expect(answer.status).toBe(400);
    expect(answer.body.description).toContain('aws');
  });
});

describe('deleting a credential', () => {
  it.each<[string, string, (id: string) => Request, (id: string) => string]>([
    ['in the body', '/v2/credentials', (id) => ({ json: { vendor: 'AWS', credential_id: id } }), () => ''],
    ['in a form', '/v3/credentials', (id) => ({ form: { vendor: 'aws', credential_id: id } }), () => ''],
    ['in the query', '/v2/credentials', () => ({}), (id) => `?vendor=aws&credential_id=${id}`],
    ['by path and body', '/v3/credentials/aws', (id) => ({ json: { credential_id: id } }), () => ''],
    ['by path and query', '/v2/credentials/aws', () => ({}), (id) => `?credential_id=${id}`],
    [
      'in a body without a type',
      '/v2/credentials/aws',
      (id) => ({ raw: `{"credential_id":"${id}"}` }),
      () => '',
    ],
  ])('deleting removes the credential named %s', async (_, path, request, query) => {
    await caller.save(keyOf('GONE'));
    const answer = await caller.call('DELETE', path + query('GONE'), request('GONE'));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success' });
    expect(await caller.find('aws', 'GONE')).toBeUndefined();
    const again = await caller.call('DELETE', path + query('GONE'), request('GONE'));
    expect(again.status).toBe(404);
    expect(again.body.message).toContain('GONE');
  });

  it('deleting reports missing parameters', async () => {
    const answer = await caller.call('DELETE', '/v2/credentials', { json: { vendor: 'aws' } });
    expect(answer.body).toMatchObject({ code: '1000', message: 'credential_id not specified' });
    expect((await caller.call('DELETE', '/v2/credentials')).body).toMatchObject({
      message: 'vendor not specified',
    });
    expect((await caller.call('DELETE', '/v2/credentials/aws')).status).toBe(400);
    expect((await caller.call('DELETE', '/v2/credentials/clowd?credential_id=x')).status).toBe(400);
  });

  it('a credential cannot be deleted while a stack uses it; the error names the stack', async () => {
    await caller.save(keyOf('BUSY'), 'sandbox');
    const vendor = { sandbox: { cred: 'BUSY', region: 'ap-northeast-1' } };
    const stackId = await almanac.applyTemplate({ ...oneServer(), vendor });
    const { nickname } = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const drop = () => caller.call('DELETE', '/v2/credentials/sandbox?credential_id=BUSY');
    const answer = await drop();
    expect(answer.status).toBe(409);
    expect(answer.body.message).toBe(`Credential BUSY is in use by ${String(nickname)} (${stackId})`);
    expect(await caller.find('sandbox', 'BUSY')).toBeDefined();
    await caller.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`);
    await almanac.waitFor(stackId, 'DELETE_COMPLETE');
    expect((await drop()).status).toBe(200);
  });
});

describe('access to credentials', () => {
  const calls: [string, string, Request][] = [
    ['GET', '/credentials', {}],
    ['GET', '/credentials/aws', {}],
    ['POST', '/credentials', { json: { vendor: 'aws', credentials: keyOf('INTRUDER') } }],
    ['POST', '/credentials/aws', { json: { credentials: keyOf('INTRUDER') } }],
    ['DELETE', '/credentials', { json: { vendor: 'aws', credential_id: 'SANDBOX' } }],
    ['DELETE', '/credentials/aws', { json: { credential_id: 'SANDBOX' } }],
  ];

  it.each(calls)(
    '%s %s is forbidden to a stack token, and on v3 to an API client',
    async (method, path, request) => {
      const stackId = await almanac.applyTemplate();
      const token = await almanac.stackToken(stackId);
      expect((await caller.call(method, `/v2${path}`, { ...request, token })).status).toBe(403);
      expect((await caller.call(method, `/v3${path}`, { ...request, token })).status).toBe(403);
      expect(
        (await caller.call(method, `/v3${path}`, { ...request, token: await almanac.clientToken() })).status,
      ).toBe(403);
      expect(await caller.find('aws', 'INTRUDER')).toBeUndefined();
      expect(await caller.find('aws', 'SANDBOX')).toBeDefined();
    },
  );

  it('another account cannot see or delete credentials, and may use the same id', async () => {
    const token = await almanac.otherAccountToken();
    await caller.save(keyOf('SAME', 'first'));
    expect((await caller.call('GET', '/v3/credentials', { token })).text).not.toContain('SAME');
    const drop = { token, json: { vendor: 'aws', credential_id: 'SAME' } };
    expect((await caller.call('DELETE', '/v3/credentials', drop)).status).toBe(404);
    const json = { vendor: 'aws', credentials: keyOf('SAME', 'other') };
    expect((await caller.call('POST', '/v3/credentials', { token, json })).status).toBe(200);
    expect(await caller.secretOf('aws', 'SAME')).toBe('first');
    expect((await caller.call('DELETE', '/v3/credentials', drop)).status).toBe(200);
    expect(await caller.find('aws', 'SAME')).toBeDefined();
  });
});
