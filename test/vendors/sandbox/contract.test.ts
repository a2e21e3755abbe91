import type { Resource } from '../../../src/vendors/sandbox/cloud.ts';
import { contentOf, snapshotsAt } from '../../../src/vendors/sandbox/data.ts';
import { resourcesAt } from '../../../src/vendors/sandbox/timeline.ts';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';
import { type DataWorld, dataContract, type Part } from '../data-contract.ts';
import { driverContract } from '../driver-contract.ts';
import { fixedServers } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

const contractWorld = () => {
  const world = sandboxWorld();
  let stacks = 0;
  return {
    ...world,
    newStack: () => stackNamed(`contract${stacks++}`),
    passMoment: async () => world.clock.advance(200),
    passAll: async () => world.clock.advance(longEnough),
  };
};

driverContract('sandbox', () => {
  const world = contractWorld();
  return { ...world, document: (stack, servers) => world.compiled(fixedServers(servers), stack.id) };
});

/** The resource that holds the data of a part. */
const holders: Readonly<Record<Part, string>> = {
  database: 'DatabaseInstanceapp',
  cache: 'CacheClustersessions',
  files: 'VolumeData0-0',
  shared: 'FileSystemMedia0',
  disk: 'InstanceData0-0',
};

/** None of the contract's stacks has replicas, Memcached or groups. */
const holdsData = ({ type }: Resource): boolean =>
  ['DatabaseInstance', 'CacheCluster', 'FileSystem', 'Volume', 'Instance'].includes(type);

dataContract('the sandbox', (): DataWorld => {
  const { vendor, clock, connect, stored, ...time } = contractWorld();
  const resources = async (stack: StackOnVendor) => {
    const found = await stored(stack);
    return found ? resourcesAt(found, clock.now()) : [];
  };
  return {
    ...time,
    vendor,
    connect: () => connect('cred'),
    document: (stack, model) => vendor.compile(model, stack.id),
    dataIn: async (stack, part) => {
      const found = (await resources(stack)).find(({ name }) => name === holders[part]);
      return found && contentOf(found);
    },
    storeIds: async (stack) => {
      return (await resources(stack)).filter(holdsData).map(({ id }) => id);
    },
    keptData: async (stack) => {
      const found = await stored(stack);
      return found ? snapshotsAt(found, clock.now()).map(({ id }) => id) : [];
    },
    can: {
      keeps: { database: 'a snapshot', cache: 'a snapshot', files: 'a snapshot', shared: 'a snapshot' },
    },
  };
});
