import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { oneServer } from '../../world.ts';
import { useServedAlmanac } from '../served-almanac.ts';
import { balanced, V2Caller } from '../v2/caller.ts';

const almanac = useServedAlmanac();
let v2: V2Caller;
let token: string;
beforeAll(async () => {
  v2 = await V2Caller.of(almanac);
  token = await almanac.userToken();
});

interface Rejection {
  message: string;
  problems: { path: string; message: string }[];
}

const pathsIn = ({ problems }: Rejection): string[] => problems.map(({ path }) => path);

/** The vendor refuses it: a subnet of 16 addresses has no room for the servers. */
const tooSmall = () => {
  const [layer] = oneServer().configurations;
  const provision = { ...layer?.provision, subnet: { cidr: '10.0.3.0/28' }, instance_count: 40 };
  return { ...oneServer(), configurations: [{ ...layer, provision }] };
};

describe('a problem that the vendor finds is reported at the member that the caller wrote', () => {
  const path = 'configurations/0/provision/instance_count';

  it('in a template as JSON and as YAML, when it is applied and when it is previewed', async () => {
    for (const place of ['/v3/alm/template', '/v3/alm/template/preview'])
      for (const request of [
        { json: tooSmall() },
        { raw: stringify(tooSmall()), headers: { 'content-type': 'application/x-yaml' } },
      ]) {
        const { status, body } = await almanac.call<Rejection>('POST', place, { token, ...request });
        expect([status, pathsIn(body)]).toEqual([400, [path]]);
        expect(body.message).toContain(`${path}: 40 servers do not fit in 10.0.3.0/28`);
      }
  });

  it('in a v2 configuration, also as text and in an update', async () => {
    const vendor = { vendor: 'sandbox', cred: 'SANDBOX', region: 'ap-northeast-1' };
    const tooMany = { ...balanced, max: 900 };
    for (const configurations of [tooMany, JSON.stringify(tooMany)]) {
      const { status, body } = await almanac.call<Rejection>('POST', '/v2/alm/stack', {
        token: v2.token,
        json: { ...vendor, configurations },
      });
      expect([status, pathsIn(body)]).toEqual([400, ['configurations/max']]);
    }
    const stack = await v2.settled(balanced);
    const { status, body } = await almanac.call<Rejection>('PUT', `/v2/alm/stack/${stack}`, {
      token: v2.token,
      json: { configurations: { max: 900 } },
    });
    expect([status, pathsIn(body)]).toEqual([400, ['configurations/max']]);
  });
});
