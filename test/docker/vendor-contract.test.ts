import { afterAll } from 'vitest';
import type { Driver, Observation, StackOnVendor } from '../../src/vendors/vendor.ts';
import { driverContract } from '../vendors/driver-contract.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { VendorWorld } from './world/vendor-world.ts';

const worlds: VendorWorld[] = [];
afterAll(async () => {
  for (const world of worlds) await world.clear();
});

/** To the reconciler both mean that it is under way; only the one is asked again. */
const asBusy = (seen: Observation): Observation =>
  seen.kind === 'unfinished' ? { ...seen, kind: 'busy', lookAgainMs: 0 } : seen;

driverContract('docker', () => {
  const world = new VendorWorld({ agent: 'when told' });
  worlds.push(world);
  const servers = new Map<object, number>();
  const driver: Driver = {
    ...world.driver,
    observe: async (stack) => asBusy(await world.driver.observe(stack)),
    apply: (stack, { document, version }) =>
      world.apply(stack, fixedServers(servers.get(document) ?? 0), version),
    remove: (stack) => world.remove(stack),
  };
  const pass = async (stack: StackOnVendor) => {
    await world.drive(stack, async (seen) => {
      if (seen.kind === 'busy') await world.letGo(stack);
      return seen.kind === 'settled' || seen.kind === 'absent';
    });
  };
  return {
    driver,
    newStack: () => world.newStack(),
    document: (_stack, count) => {
      const document = {};
      servers.set(document, count);
      return document;
    },
    passMoment: async () => {
      for (const stack of world.stacks)
        await world.drive(stack, (seen) => seen.kind !== 'unfinished' || seen.doing === 'remove');
    },
    passAll: async () => {
      for (const stack of world.stacks) await pass(stack);
    },
  };
});
