import { afterEach, beforeEach, expect, it } from 'vitest';
import { chooseTarget } from '../../src/operations/ssh/target.ts';
import { changeSandbox } from '../stand-in-vendor.ts';
import { World } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
  changeSandbox(world.service, { isSimulated: false, sshUser: (_document, flag) => `user-of-${flag}` });
});
afterEach(() => world.close());

it('ssh uses the user of the image that the layer has, unless the request names one', async () => {
  const stackId = await world.create();
  await world.settle();
  const userOf = async (user?: string) =>
    (await chooseTarget(world.service, world.actor, { stackId, user })).user;
  expect(await userOf()).toBe('user-of-web0');
  expect(await userOf('ann')).toBe('ann');
});
