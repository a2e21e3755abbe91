import { beforeAll, describe, expect, it } from 'vitest';
import { accepted, refused, type Vendor, type VendorAccess } from '../../../src/vendors/vendor.ts';
import { oneServer } from '../../world.ts';
import { allow, rolesOn } from '../access/role-statements.ts';
import { useServedAlmanac } from '../served-almanac.ts';
import { CredentialCaller, type Entry } from './credential-caller.ts';

const almanac = useServedAlmanac();
const caller = new CredentialCaller(almanac);
const { userWith } = rolesOn(almanac);

const rightSecret = 'the-right-secret';
const asked: VendorAccess[] = [];

/** A stand-in for the clouds: they accept one secret. */
beforeAll(() => {
  const { vendors } = almanac.service;
  const sandbox = vendors.get('sandbox');
  if (!sandbox) throw new Error('There is always a sandbox.');
  const standIn = (name: Vendor['name']): Vendor => ({
    ...sandbox,
    name,
    verify: async (access) => {
      asked.push(access);
      return access.secret.reveal() === rightSecret ? accepted : refused('InvalidAccessKeyId.NotFound');
    },
  });
  for (const name of ['alicloud', 'sbcloud'] as const)
    (vendors as Map<string, Vendor>).set(name, standIn(name));
});

const clouds = [
  ['alicloud', 'AliCloud'],
  ['sbcloud', 'SBCloud'],
] as const;

const keyOf = (prefix: string, id: string, more: object = {}, secret = rightSecret) => ({
  [`${prefix}AccessKeyId`]: id,
  [`${prefix}SecretKey`]: secret,
  [`${prefix}AccountName`]: `account of ${id}`,
  ...more,
});

describe.each(clouds)('credentials of %s', (vendor, prefix) => {
  it.each(['/v2', '/v3'])(
    'a key that the cloud accepts is verified, saved and listed with %s',
    async (version) => {
      const credentials = keyOf(prefix, `LTAI${version.slice(1)}`);
      const answer = await caller.call('POST', `${version}/credentials/${vendor}`, { json: { credentials } });
      expect(answer.body).toEqual({ status: 'success', verified: 'The vendor accepts the key.' });
      const listed = await caller.call<Entry[]>('GET', `${version}/credentials/${vendor}`);
      expect(listed.body).toContainEqual({
        id: `LTAI${version.slice(1)}`,
        account: `account of LTAI${version.slice(1)}`,
        lastModified: expect.any(String),
      });
      expect(listed.text).not.toContain(rightSecret);
    },
  );

  it('a wrong key is saved with the reason of the cloud, which never quotes the secret', async () => {
    const answer = await caller.save(keyOf(prefix, 'WRONG', {}, 'a-wrong-secret'), vendor);
    expect(answer.status).toBe(200);
    expect(answer.body.verified).toBe(
      'Saved, but the vendor does not accept the key: InvalidAccessKeyId.NotFound',
    );
    expect(answer.text).not.toContain('a-wrong-secret');
  });

  it('a RAM role is named by its name or ARN, and anything else is rejected', async () => {
    for (const role of ['almanac-ros', 'acs:ram::1234567890123456:role/almanac-ros']) {
      const answer = await caller.save(keyOf(prefix, 'ROLE', { [`${prefix}RoleArn`]: role }), vendor);
      expect(answer.status).toBe(200);
      expect(asked.at(-1)).toMatchObject({ credentialId: 'ROLE', role });
    }
    for (const role of ['arn:aws:iam::123456789012:role/almanac', 'two words', 'x'.repeat(65)]) {
      const answer = await caller.save(keyOf(prefix, 'ROLE', { [`${prefix}RoleArn`]: role }), vendor);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ problems: [{ path: `credentials/${prefix}RoleArn` }] });
    }
  });

  it('a key without its secret is rejected', async () => {
    const answer = await caller.save({ [`${prefix}AccessKeyId`]: 'HALF' }, vendor);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ problems: [{ path: `credentials/${prefix}SecretKey` }] });
  });

  it('who may only read may not save, and another account sees nothing of it', async () => {
    await caller.save(keyOf(prefix, 'OURS'), vendor);
    const { token } = await userWith(`reader-${vendor}`, allow(['cred:describeCredentials']));
    const json = { credentials: keyOf(prefix, 'OURS') };
    expect((await almanac.call('POST', `/v3/credentials/${vendor}`, { token, json })).status).toBe(403);
    const other = await almanac.otherAccountToken();
    const listed = await almanac.call<Entry[]>('GET', `/v3/credentials/${vendor}`, { token: other });
    expect(listed.body).toEqual([]);
    const removed = await almanac.call('DELETE', `/v3/credentials/${vendor}?credential_id=OURS`, {
      token: other,
    });
    expect(removed.status).toBe(404);
    expect(await caller.find(vendor, 'OURS')).toBeDefined();
  });
});

describe('names of vendors', () => {
  const spellings = [
    ['AliCloud', 'alicloud'],
    ['ALICLOUD', 'alicloud'],
    ['SBCloud', 'sbcloud'],
    ['sbCloud', 'sbcloud'],
    ['AWS', 'aws'],
    ['Aws', 'aws'],
    ['OpenStack', 'openstack'],
    ['K5Cloud', 'k5'],
    ['K5', 'k5'],
  ] as const;

  it.each(spellings)('%s is %s for credentials, v2 stacks and v3 templates', async (spelling, vendor) => {
    const id = `KEY-${spelling}`;
    const body = { vendor: spelling, credentials: { accessKeyId: id, secretKey: rightSecret } };
    expect((await caller.call('POST', '/v3/credentials', { json: body })).status).toBe(200);
    expect(await caller.find(vendor, id)).toBeDefined();

    // Under its id, every name leads to the sandbox.
    const known = { accessKeyId: 'SANDBOX', secretKey: 'sandbox' };
    await caller.call('POST', '/v3/credentials', { json: { vendor: spelling, credentials: known } });
    const configurations = { architecture: 'art_single', type: 't2.micro', image: 'library/nginx' };
    const place = { cred: 'SANDBOX', region: 'ap-northeast-1' };
    const v2 = await caller.call('POST', '/v2/alm/stack', {
      json: { vendor: spelling, ...place, configurations },
    });
    expect([spelling, v2.status]).toEqual([spelling, 200]);
    const v3 = await caller.call('POST', '/v3/alm/template', {
      json: { ...oneServer(1), vendor: { [spelling]: place } },
    });
    expect([spelling, v3.status]).toEqual([spelling, 201]);
    const rows = await almanac.service.database.query.selectFrom('stacks').select(['id', 'vendor']).execute();
    for (const { stack_id } of [v2.body, v3.body]) expect(rows).toContainEqual({ id: stack_id, vendor });
  });
});
