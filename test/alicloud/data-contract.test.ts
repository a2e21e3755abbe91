import { afterAll, beforeAll } from 'vitest';
import { dataContract } from '../vendors/data-contract.ts';
import { dataWorld } from './world/data-world.ts';
import { AlicloudWorld } from './world/world.ts';

let world: AlicloudWorld;
beforeAll(async () => {
  world = await AlicloudWorld.start();
});
afterAll(() => world.close());

dataContract('a double of ROS', () => dataWorld(world));
