import { describe, expect, it } from 'vitest';
import { forgetRegistry, recordRegistry } from '../../../src/operations/registry/address.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { Tenant } from '../accounts/tenant.ts';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const configured = useServedAlmanac({
  environment: { ALM_REGISTRY_URL: 'https://registry.example.com', ALM_REGISTRY_SERVICE: 'images' },
});

const registryOf = async (served: typeof almanac): Promise<unknown> =>
  (await served.call('GET', '/v3/session', {})).body.registry;

describe('the registry in the session', () => {
  it('is the one of the settings, whatever was recorded', async () => {
    const expected = { url: 'https://registry.example.com', service: 'images' };
    expect(await registryOf(configured)).toEqual(expected);
    await recordRegistry(configured.service, 'http://127.0.0.1:5000');
    expect(await registryOf(configured)).toEqual(expected);
  });

  it('without a setting is the one that was recorded last, until it is forgotten', async () => {
    expect(await registryOf(almanac)).toMatchObject({ url: null });
    await recordRegistry(almanac.service, 'http://127.0.0.1:5000');
    await recordRegistry(almanac.service, 'http://127.0.0.1:5001');
    await forgetRegistry(almanac.service, 'http://127.0.0.1:5000');
    expect(await registryOf(almanac)).toMatchObject({ url: 'http://127.0.0.1:5001' });
    await forgetRegistry(almanac.service, 'http://127.0.0.1:5001');
    expect(await registryOf(almanac)).toMatchObject({ url: null });
  });

  it('has the namespace of the user: the name to sign in with, or null if a registry does not accept it', async () => {
    const namespaceOf = async (token: string) =>
      (await almanac.call('GET', '/v3/session', { token })).body.user;
    const master = new AccessCaller(almanac);
    const ann = await master.makeUser('ann');
    const capital = await master.makeUser('Ann@example.com');
    expect(await namespaceOf(ann.token)).toMatchObject({ namespace: 'ann' });
    expect(await namespaceOf(capital.token)).toMatchObject({ namespace: null });
    const tenant = await Tenant.create(almanac, 'other');
    expect(await namespaceOf(tenant.token)).toMatchObject({ namespace: `${tenant.id}.root` });
  });
});
