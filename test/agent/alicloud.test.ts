import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryText, signAcs3 } from '../../src/agent/cloud/acs3.ts';
import { openMetadata } from '../../src/agent/cloud/metadata.ts';
import { describeSpotNotice } from '../../src/agent/cloud/spot.ts';
import { readStackToken } from '../../src/agent/cloud/stack-token.ts';
import { parseSettings } from '../../src/agent/settings.ts';
import { realClock as clock } from '../../src/basics/clock.ts';
import { FakeAlicloud } from './world/fake-alicloud.ts';

const cloud = new FakeAlicloud();
let url: string;
beforeAll(async () => {
  url = await cloud.start();
});
afterAll(() => cloud.close());
beforeEach(() => {
  cloud.secrets.clear();
  cloud.metadata.delete('instance/spot/termination-time');
});

const name = 'almanac/mo-1-x/agent-token';
const settings = (changes: object = {}) =>
  parseSettings(
    JSON.stringify({
      server: 'https://almanac.test',
      stackId: 's',
      flag: '',
      tokenFrom: `oos:${name}`,
      cloud: 'alicloud',
      alicloudEndpoint: url,
      ...changes,
    }),
  );
const metadata = () => openMetadata(clock, url, 'alicloud');
const access = () => ({ clock, metadata: metadata(), region: undefined, endpoint: undefined });

describe('the metadata client on Alibaba Cloud', () => {
  it('reads the instance id, the region and the keys of the role', async () => {
    expect(await metadata().instanceId()).toBe('i-fake0000000000000000');
    expect(await metadata().region()).toBe('cn-hangzhou');
    expect(await metadata().keys()).toEqual({
      accessKeyId: 'STS.fake',
      secretAccessKey: 'fake-secret',
      sessionToken: 'fake-session/+=',
    });
  });

  it('opens a new session when the last one has expired', async () => {
    const client = metadata();
    await client.region();
    cloud.session += 1;
    expect(await client.region()).toBe('cn-hangzhou');
  });

  it('reads the time of a spot notice, and says that nothing else is known about the group', async () => {
    expect(await metadata().spotNotice()).toBeUndefined();
    cloud.metadata.set('instance/spot/termination-time', '2026-11-16T13:00:00Z');
    const notice = (await metadata().spotNotice()) ?? '';
    expect(describeSpotNotice(notice)).toBe(
      'Spot notice: the cloud will reclaim this instance: terminate at 2026-11-16T13:00:00Z.',
    );
    expect(await metadata().isTerminating()).toBe(false);
    expect(await metadata().groupName()).toBeUndefined();
  });
});

describe('the stack token in OOS', () => {
  it('is read with the keys of the role and a signature that the service verifies, again on each call', async () => {
    for (const token of ['first', 'second']) {
      cloud.secrets.set(name, token);
      expect(await readStackToken(settings(), access())).toBe(token);
    }
    expect(cloud.nonces.size).toBeGreaterThanOrEqual(2);
  });

  it('fails with the code of the service, which repeats neither the token nor the request', async () => {
    await expect(readStackToken(settings(), access())).rejects.toThrow(
      `Cannot read secret parameter ${name}: EntityNotExists.Parameter.`,
    );
  });

  it('fails if another key signed the request', async () => {
    cloud.secrets.set(name, 'token');
    const stolen = { ...(await metadata().keys()), secretAccessKey: 'other' };
    const forged = { keys: async () => stolen, region: async () => 'cn-hangzhou' };
    const wrong = { ...access(), metadata: { ...metadata(), ...forged } };
    await expect(readStackToken(settings(), wrong)).rejects.toThrow('SignatureDoesNotMatch');
  });

  it('needs a name after oos:', () => {
    expect(() => settings({ tokenFrom: 'oos:' })).toThrow('tokenFrom');
  });
});

describe('the signature ACS3-HMAC-SHA256', () => {
  it('encodes the query as RFC 3986 says, sorted by name', () => {
    expect(queryText({ b: "a b*~'(é)", a: 'x/y' })).toBe('a=x%2Fy&b=a%20b%2A~%27%28%C3%A9%29');
  });

  it('signs every header that it adds, and the session only with a temporary key', () => {
    const request = { method: 'POST', url: `${url}/`, action: 'A', version: '1', now: 0, nonce: 'n' };
    const headers = signAcs3({ accessKeyId: 'id', secretAccessKey: 'secret' }, request);
    expect(headers['x-acs-date']).toBe('1970-01-01T00:00:00Z');
    expect(headers['authorization']).toContain(
      'SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,',
    );
    expect(headers).not.toHaveProperty('x-acs-security-token');
  });
});
