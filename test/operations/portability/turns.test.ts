import { afterEach, beforeEach, expect, it } from 'vitest';
import { cloudComparer } from '../../../src/operations/stacks/portability/compare-clouds.ts';
import { changeSandbox } from '../../stand-in-vendor.ts';
import { oneServer, World, written } from '../../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const request = { template: written(oneServer()), vendor: 'sandbox', hasLeft: () => false };

/** Counts the compilations of the sandbox. */
function countCompilations(): { count: number } {
  const seen = { count: 0 };
  const sandbox = world.service.vendors.get('sandbox');
  if (!sandbox) throw new Error('There is always a sandbox.');
  changeSandbox(world.service, {
    compile: (...input) => {
      seen.count += 1;
      return sandbox.compile(...input);
    },
  });
  return seen;
}

it('an account gets one report at a time', async () => {
  const order: string[] = [];
  changeSandbox(world.service, {
    changes: ({ region }) => {
      order.push(region);
      return [];
    },
    resources: () => {
      order.push('resources');
      return [];
    },
  });
  const compare = cloudComparer(world.service);
  const template = written({
    ...oneServer(),
    configurations: oneServer().configurations.map((layer) => Object.assign(layer, { container: {} })),
  });
  await Promise.all(
    ['first', 'second'].map((region) => compare(world.actor, { ...request, template, region })),
  );
  const second = order.indexOf('second');
  expect(order.slice(0, second)).toEqual(['first', ...order.slice(second + 1)]);
});

it('a report ends at the next compilation when its caller has left, and the next report is made', async () => {
  const seen = countCompilations();
  const compare = cloudComparer(world.service);
  const left = compare(world.actor, { ...request, hasLeft: () => seen.count > 0 });
  const next = compare(world.actor, request);
  await expect(left).rejects.toThrow(/closed the connection/);
  const afterFirst = seen.count;
  expect(await next).toMatchObject([{ vendor: 'sandbox' }]);
  expect(afterFirst).toBe(1);
});

it('nothing is compiled for a caller that left while it waited', async () => {
  const seen = countCompilations();
  const compare = cloudComparer(world.service);
  await expect(compare(world.actor, { ...request, hasLeft: () => true })).rejects.toThrow(
    /closed the connection/,
  );
  expect(seen.count).toBe(0);
});
