import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyConfiguration } from '../../../src/operations/stacks/submit/apply-configuration.ts';
import { oneServer, World } from '../../world.ts';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const long = 'x'.repeat(65);
const message = expect.stringContaining('region: must have at most 64 characters');

it.each(['aws', 'openstack', 'k5', 'docker'])(
  'a template of vendor %s whose region has more than 64 characters is rejected before a cloud is asked',
  async (vendor) => {
    const template = { ...oneServer(), vendor: { [vendor]: { cred: 'any', secret: 's', region: long } } };
    await expect(world.create(template)).rejects.toMatchObject({
      message: expect.stringContaining(`vendor/${vendor}/region: must have at most 64 characters`),
    });
  },
);

it('a v2 configuration whose region has more than 64 characters is rejected before a cloud is asked', async () => {
  const configurations = {
    architecture: 'art_elb',
    type: 't2.micro',
    image: 'library/nginx',
    min: 2,
    max: 4,
  };
  const request = { vendor: 'aws', credentialId: 'any', configurations };
  await expect(
    applyConfiguration(world.service, world.actor, { ...request, region: long }),
  ).rejects.toMatchObject({ message });
});
