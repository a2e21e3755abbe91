import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/basics/config.ts';

const read = (environment: Record<string, string>) => readConfig(environment).alicloud;

describe('the settings of Alibaba Cloud and SBCloud', () => {
  it('lead to the public services and all regions by default', () => {
    const everywhere = { endpoint: null, regions: [] };
    expect(read({})).toEqual({ pollSeconds: 5, clouds: { alicloud: everywhere, sbcloud: everywhere } });
  });

  it('name another endpoint for each of both, and the regions of SBCloud', () => {
    const { clouds } = read({
      ALM_ALICLOUD_ENDPOINT: 'http://127.0.0.1:18160',
      ALM_SBCLOUD_ENDPOINT: 'https://ros.sbcloud.example/',
      ALM_SBCLOUD_REGIONS: 'ap-northeast-1, ap-northeast-9',
    });
    expect(clouds.alicloud.endpoint).toBe('http://127.0.0.1:18160');
    expect(clouds.sbcloud).toEqual({
      endpoint: 'https://ros.sbcloud.example',
      regions: ['ap-northeast-1', 'ap-northeast-9'],
    });
  });

  it.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])(
    'accept an endpoint without TLS on this machine: %s',
    (value) => expect(read({ ALM_SBCLOUD_ENDPOINT: value }).clouds.sbcloud.endpoint).toBe(value),
  );

  it.each(['http://ros.example', 'http://10.0.0.1', 'http://127.0.0.1.example', 'http://localhost.example'])(
    'reject an endpoint without TLS elsewhere, to which passwords would travel in clear: %s',
    (value) => expect(() => read({ ALM_ALICLOUD_ENDPOINT: value })).toThrow('must be a https:// URL'),
  );

  it.each(['ftp://x', 'https://u:secret-word@x', 'https://x/path', 'x'])(
    'reject an endpoint that is not an address alone, without showing it: %s',
    (value) => {
      const act = () => read({ ALM_ALICLOUD_ENDPOINT: value });
      expect(act).toThrow('ALM_ALICLOUD_ENDPOINT must be');
      expect(act).not.toThrow('secret-word');
    },
  );
});
