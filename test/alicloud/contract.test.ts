import { afterAll, beforeAll, describe } from 'vitest';
import type { VendorDocument } from '../../src/vendors/vendor.ts';
import { driverContract } from '../vendors/driver-contract.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { AlicloudWorld, newStack } from './world/world.ts';

/** Where it is not known how ROS behaves, the double has both ways. The first is its default. */
const ways: [string, object][] = [
  ['with its defaults', {}],
  ['that forgets deleted stacks', { deleted: 'gone', listDeleted: 'no' }],
  ['that keeps deleted stacks and does not list them', { listDeleted: 'no' }],
  ['that deletes a stack that is changing', { deleteWhileBusy: 'accept' }],
  ['that refuses changes while they run', { refuseAt: 'run' }],
  ['that does not undo failed updates', { updateRollback: 'off' }],
  ['to which every update is a change', { noChange: 'lenient' }],
];

/** The stack in documents compiled in advance; its id is replaced by the real one. */
const placeholder = newStack();

describe.each(ways)('on a double of ROS %s', (_, settings) => {
  let world: AlicloudWorld;
  const documents = new Map<number, VendorDocument>();
  beforeAll(async () => {
    world = await AlicloudWorld.start();
    await world.double.control('settings', settings);
    for (const servers of [1, 2, 3])
      documents.set(servers, await world.compiled(placeholder, fixedServers(servers)));
  });
  afterAll(() => world.close());

  driverContract('alicloud', () => ({
    driver: world.driver,
    newStack,
    document: (stack, servers) => {
      const text = JSON.stringify(documents.get(servers));
      return JSON.parse(text.replaceAll(placeholder.id, stack.id)) as VendorDocument;
    },
    passMoment: world.passMoment,
    passAll: world.passAll,
  }));
});
