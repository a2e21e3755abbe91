import { afterAll, beforeAll } from 'vitest';
import type { VendorDocument } from '../../src/vendors/vendor.ts';
import { driverContract } from '../vendors/driver-contract.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, newStack } from './world/world.ts';

/** The stack in documents compiled in advance; its id is replaced by the real one. */
const placeholder = newStack();

describeOnOverlay('aws on moto with the overlay', () => {
  let world: AwsWorld;
  const documents = new Map<number, VendorDocument>();
  beforeAll(async () => {
    // Slow enough that an operation is still in progress at the next call, even on a slow machine.
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0.1 }));
    for (const servers of [1, 2, 3])
      documents.set(servers, await world.compiled(placeholder, fixedServers(servers)));
  });
  afterAll(() => world.close());

  driverContract('aws', () => ({
    driver: world.driver,
    newStack,
    document: (stack, servers) => {
      const text = JSON.stringify(documents.get(servers));
      return JSON.parse(text.replaceAll(placeholder.id, stack.id)) as VendorDocument;
    },
    passMoment: world.passMoment,
    passAll: () => world.passAll(),
  }));
});
