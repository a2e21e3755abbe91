import { afterAll, expect, it } from 'vitest';
import { anyCloudModel } from '../vendors/any-cloud.ts';
import { outputIn, VendorWorld } from './world/vendor-world.ts';

const world = new VendorWorld();
afterAll(() => world.clear());

it('the example for every cloud comes up on a container engine unchanged except for its vendor, and answers', async () => {
  const view = await world.make(world.newStack(), anyCloudModel('local'));
  expect(view.instances).toMatchObject([
    { flag: 'Web', state: 'running' },
    { flag: 'Web', state: 'running' },
  ]);
  expect(view.databases).toMatchObject([{ engine: 'mysql', role: 'primary' }]);
  const page = await fetch(`http://${outputIn(view, 'Address')}/`);
  const ids = view.instances.map(({ id }) => id);
  expect(ids).toContain(await page.text());
});
