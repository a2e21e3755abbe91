import { afterAll, beforeAll, describe } from 'vitest';
import { readByName } from '../../src/vendors/openstack/observe/list-stacks.ts';
import { type HeatResource, readResources } from '../../src/vendors/openstack/observe/resources.ts';
import type { Driver, Instance } from '../../src/vendors/vendor.ts';
import { driverContract } from '../vendors/driver-contract.ts';
import { servers, testResources } from './world/documents.ts';
import { describeOnFullRig } from './world/rig.ts';
import { OpenStackWorld } from './world/world.ts';

const standIn = ({ physicalId, status }: HeatResource): Instance => ({
  id: physicalId,
  state: /^(CREATE|UPDATE|CHECK)_COMPLETE$/.test(status) ? 'running' : 'pending',
  flag: 'lone',
  type: '',
  image: '',
  launchedAt: 0,
  spot: false,
  zone: '',
  privateIp: '',
  privateDns: '',
  publicIp: null,
  publicDns: null,
  networkId: '',
  subnetId: '',
  keyName: null,
});

/** Heat alone has no servers: its test resources stand in for them. */
function withTestResources(world: OpenStackWorld): Driver {
  return {
    ...world.driver,
    observe: async (stack) => {
      const observation = await world.driver.observe(stack);
      const found = await readByName(world.cloud, stack.id);
      if (!found || observation.kind === 'unreachable') return observation;
      const resources = await readResources(world.cloud, found);
      const instances = resources.map(standIn);
      return { ...observation, view: { ...observation.view, instances } };
    },
  };
}

describe('Heat alone, with test resources', () => {
  let world: OpenStackWorld;
  beforeAll(() => {
    world = new OpenStackWorld();
  });
  afterAll(() => world.close());
  driverContract('openstack', () => ({
    driver: withTestResources(world),
    newStack: world.newStack,
    document: (_, count) => testResources(count),
    passMoment: world.passMoment,
    passAll: world.passAll,
  }));
});

describeOnFullRig('Heat with servers of Nova', () => {
  let world: OpenStackWorld;
  beforeAll(() => {
    world = new OpenStackWorld();
  });
  afterAll(() => world.close());
  driverContract('openstack', () => ({
    driver: world.driver,
    newStack: world.newStack,
    document: servers,
    passMoment: world.passMoment,
    passAll: world.passAll,
  }));
});
