import { beforeAll, describe, expect, it } from 'vitest';
import { allow } from '../access/role-statements.ts';
import { elsewhere, useClouds } from './auth-urls-world.ts';
import type { Entry } from './credential-caller.ts';

const { almanac, caller, keyOf, save, serveWith, stackWith, submit, urlOf, userWith, address, calls } =
  useClouds();

describe('no cloud is listed', () => {
  beforeAll(() => serveWith());

  it('a credential is saved, and a stack with it is rejected with the name of the setting', async () => {
    const saved = await save('early@Default/shop');
    expect(saved.status).toBe(200);
    expect(saved.body.verified).toContain('lists no cloud in ALM_OPENSTACK_AUTH_URLS');
    const answer = await submit({ cred: 'early@Default/shop' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(
      'vendor/openstack: this server does not support vendor openstack until its operator lists clouds in ALM_OPENSTACK_AUTH_URLS; supported: aws,',
    );
    expect(answer.body.message).not.toMatch(/supported: .*openstack/);
  });

  it('no address is accepted, and none is called', async () => {
    const answer = await save('any@Default/shop', address());
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('ALM_OPENSTACK_AUTH_URLS');
    expect(calls()).toBe(0);
  });
});

describe('one cloud is listed', () => {
  beforeAll(() => serveWith(`${address()}/v3/`, address()));

  it.each([
    ['/v2/credentials', { vendor: 'OpenStack', credentials: keyOf('one@Default/shop') }],
    ['/v3/credentials', { vendor: 'openstack', credentials: keyOf('one@Default/shop') }],
    ['/v3/credentials/openstack', { credentials: { accessKeyId: 'one@Default/shop', secretKey: 's' } }],
  ])('a credential that names no cloud belongs to it: %s', async (path, json) => {
    await caller.call('DELETE', '/v3/credentials/openstack?credential_id=one@Default/shop');
    const before = calls();
    const answer = await caller.call('POST', path, { json });
    expect(answer.status).toBe(200);
    expect(answer.body.verified).toContain('does not accept the key: The cloud does not know the user');
    expect(calls()).toBe(before + 1);
    const listed = await caller.call<Record<string, Entry[]>>('GET', '/v3/credentials');
    expect(listed.body['openstack']).toContainEqual(
      expect.objectContaining({ id: 'one@Default/shop', authUrl: address() }),
    );
    expect(listed.text).not.toContain('hush');
  });

  it('a credential from the time before belongs to it as well', async () => {
    const answer = await submit({ cred: 'early@Default/shop' });
    expect([answer.status, answer.body.message]).toEqual([
      502,
      expect.stringContaining('The cloud does not know the user, the project'),
    ]);
  });

  it('credentials of other vendors have no address', async () => {
    await caller.save({ AWSAccessKeyId: 'AKIAHERE', AWSSecretKey: 's', AWSAuthUrl: address() });
    expect(Object.keys((await caller.find('aws', 'AKIAHERE')) ?? {})).toEqual([
      'id',
      'account',
      'lastModified',
    ]);
  });
});

describe('two clouds are listed', () => {
  beforeAll(() => serveWith(address(), elsewhere));

  it.each([
    ['the address as listed', address],
    ['the address with the version of the interface', () => `${address()}/v3/`],
  ])('a credential is saved with %s', async (_, url) => {
    expect((await save('two@Default/shop', url())).status).toBe(200);
    expect(await urlOf('two@Default/shop')).toMatchObject({ authUrl: address() });
  });

  it.each<[string, () => string | undefined, RegExp]>([
    ['no address', () => undefined, /ALM_OPENSTACK_AUTH_URLS lists several clouds/],
    [
      'another address',
      () => 'http://169.254.169.254/v3',
      /none of those .* in ALM_OPENSTACK_AUTH_URLS: http/,
    ],
    ['another path', () => `${address()}/other`, /none of those/],
    ['a password', () => address().replace('//', '//user:hush@'), /must be an http/],
    ['another protocol', () => 'file:///etc/passwd', /must be an http/],
  ])('a credential with %s is rejected and not saved', async (_, url, message) => {
    const before = calls();
    const answer = await save('bad@Default/shop', url());
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: '1000',
      message: expect.stringMatching(message),
      problems: [{ path: 'credentials/OpenStackAuthUrl' }],
    });
    expect(answer.text).not.toMatch(/hush|169\.254|passwd/);
    expect(await urlOf('bad@Default/shop')).toBeUndefined();
    expect(calls()).toBe(before);
  });

  it('a user without the right to save credentials gets 403', async () => {
    const { token } = await userWith('reader', allow(['cred:describeCredentials', 'stack:*']));
    const credentials = keyOf('forbidden@Default/shop', address());
    const json = { vendor: 'openstack', credentials };
    for (const path of ['/v3/credentials', '/v3/credentials/openstack'])
      expect((await caller.call('POST', path, { token, json })).status).toBe(403);
    expect(await urlOf('forbidden@Default/shop')).toBeUndefined();
  });

  it('another account does not see the credential', async () => {
    await save('own@Default/shop', address());
    const token = await almanac.otherAccountToken();
    const listed = await caller.call<Entry[]>('GET', '/v3/credentials/openstack', { token });
    expect(listed.body).toEqual([]);
  });

  it('a document may send the credential and its cloud along, and the cloud is asked', async () => {
    const before = calls();
    const answer = await submit({
      cred: 'sent@Default/shop',
      secret: 'hush-sent',
      auth_url: `${address()}/v3`,
    });
    expect([answer.status, answer.body.message]).toEqual([
      502,
      expect.stringContaining('The cloud does not know'),
    ]);
    expect(calls()).toBe(before + 1);
    expect(answer.text).not.toContain('hush-sent');
  });

  it.each<[string, object, string, RegExp]>([
    ['no cloud', {}, 'vendor/openstack/auth_url', /lists several clouds/],
    ['an unlisted cloud', { auth_url: 'http://10.0.0.1' }, 'vendor/openstack/auth_url', /none of those/],
    ['a cloud that is not a text', { auth_url: 5 }, 'vendor/openstack/auth_url', /must be a string/],
  ])('a document that sends a credential along with %s is rejected', async (_, more, path, message) => {
    const answer = await submit({ cred: 'sent@Default/shop', secret: 'hush', ...more });
    expect(answer.status).toBe(400);
    expect(answer.body['problems']).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  it('a document cannot lead a saved credential to another cloud', async () => {
    await save('kept@Default/shop', address());
    const answer = await submit({ cred: 'kept@Default/shop', secret: 'x', auth_url: elsewhere });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(
      `credential kept@Default/shop belongs to the cloud at ${address()}`,
    );
  });

  it('a credential that stacks use cannot be saved for another listed cloud; a new password can', async () => {
    await save('used@Default/shop', address());
    const stackId = await stackWith('used@Default/shop');
    const answer = await save('used@Default/shop', elsewhere);
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain(`Credential used@Default/shop is in use by`);
    expect(answer.body.message).toContain(stackId);
    expect(answer.body.description).toContain(`in the cloud at ${address()}`);
    expect(await urlOf('used@Default/shop')).toMatchObject({ authUrl: address() });
    expect((await save('used@Default/shop', address())).status).toBe(200);
    expect((await save('used@Default/shop@Default', elsewhere)).status).toBe(200);
  });
});
