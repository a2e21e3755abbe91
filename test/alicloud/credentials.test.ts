import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CredentialCaller } from '../api/credentials/credential-caller.ts';
import { ServedAlmanac } from '../api/served-almanac.ts';
import { Double, doubleKeys } from './world/double.ts';

const clouds = [
  ['alicloud', 'AliCloud'],
  ['sbcloud', 'SBCloud'],
] as const;

describe('a credential that is saved (on a double that checks keys and signatures)', () => {
  let double: Double;
  let almanac: ServedAlmanac;
  let caller: CredentialCaller;
  beforeAll(async () => {
    double = await Double.start();
    const environment = { ALM_ALICLOUD_ENDPOINT: double.url, ALM_SBCLOUD_ENDPOINT: double.url };
    almanac = await ServedAlmanac.start({ environment });
    caller = new CredentialCaller(almanac);
  });
  afterAll(async () => {
    await almanac.close();
    await double.stop();
  });
  beforeEach(() => double.clear('calls'));
  afterEach(() => double.clear('faults'));

  describe.each(clouds)('of %s', (vendor, prefix) => {
    const save = async (changes: { id?: string; secret?: string; role?: string } = {}) => {
      const { id = doubleKeys.accessKeyId, secret = doubleKeys.secretAccessKey, role } = changes;
      const credentials = {
        [`${prefix}AccessKeyId`]: id,
        [`${prefix}SecretKey`]: secret,
        [`${prefix}AccountName`]: 'double',
        ...(role === undefined ? {} : { [`${prefix}RoleArn`]: role }),
      };
      const answer = await caller.call('POST', '/v3/credentials', { json: { vendor: prefix, credentials } });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(secret);
      expect(await caller.find(vendor, id)).toBeDefined();
      return String(answer.body['verified']);
    };

    it('is verified with one call that needs no permission', async () => {
      expect(await save()).toBe('The vendor accepts the key.');
      expect(await double.calls()).toEqual({ 'sts.GetCallerIdentity': 1 });
    });

    it('is saved with a sentence that says what to do, if the cloud does not know the key or its secret', async () => {
      expect(await save({ id: 'LTAIunknown' })).toBe(
        'Saved, but the vendor does not accept the key: Alibaba Cloud does not know the access key, or the key is disabled. ' +
          'Enable it, or save a valid key under the same id ' +
          '(sts GetCallerIdentity: InvalidAccessKeyId.NotFound: Specified access key is not found.)',
      );
      expect(await save({ secret: 'a-wrong-secret' })).toBe(
        'Saved, but the vendor does not accept the key: The secret does not belong to the access key. ' +
          'Save both again under the same id ' +
          '(sts GetCallerIdentity: SignatureDoesNotMatch: Specified signature does not match our calculation.)',
      );
    });

    it('is saved with a sentence that names both accounts, if its role belongs to another one', async () => {
      expect(await save({ role: 'acs:ram::1000000000000001:role/ros' })).toBe('The vendor accepts the key.');
      expect(await save({ role: 'acs:ram::2000000000000002:role/ros' })).toBe(
        'Saved, but the vendor does not accept the key: The role belongs to account 2000000000000002, ' +
          'but the key belongs to account 1000000000000001. Use a role of the same account as the key.',
      );
    });

    it.each([
      ['is down', { kind: 'status', status: 503 }],
      ['answers with a page', { kind: 'status', status: 502, html: true }],
      ['cuts the connection', { kind: 'drop' }],
      ['throttles', { kind: 'throttle' }],
    ])('is saved, and says that it was not verified, if the cloud %s', async (_, fault) => {
      await double.control('faults', { ...fault, action: 'GetCallerIdentity', times: 9 });
      expect(await save()).toBe('Saved, but the vendor could not be reached to check the key.');
    });
  });
});
