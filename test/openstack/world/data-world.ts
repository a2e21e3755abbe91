import { VirtualClock } from '../../../src/basics/clock.ts';
import { Secret } from '../../../src/basics/secret.ts';
import type { Layer, StackModel } from '../../../src/model/stack-model.ts';
import { openStackVendor } from '../../../src/vendors/openstack/vendor.ts';
import type { Driver, StackOnVendor, Vendor } from '../../../src/vendors/vendor.ts';
import { containerWith } from '../../vendors/data-contract/models.ts';
import type { DataWorld } from '../../vendors/data-contract.ts';
import { DataIn } from './data-in.ts';
import { rig } from './rig.ts';
import { patiently } from './steps.ts';
import { type OpenStackWorld, pollMs } from './world.ts';

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEhNa5T9ikmikBJF7vD2wuc2nCjAWfdLHNODKm55Gybq example';
const publicKeys = new Map(['Web0', 'Data0'].map((flag) => [flag, publicKey]));

const newVendor = (): Vendor =>
  openStackVendor('openstack', {
    clock: new VirtualClock(Date.now()),
    baseUrl: () => 'https://almanac.example',
    pollSeconds: pollMs / 1000,
    countCall: () => undefined,
    authUrls: { setting: 'ALM_OPENSTACK_AUTH_URLS', urls: [rig.authUrl], moved: new Map() },
  });

/** Heat accepts letters and digits only, as Almanac makes them. */
const databasePassword = new Secret('Secret123456');

/** Tries again what the cloud does not answer in time. */
function patient(driver: Driver): Driver {
  return {
    ...driver,
    observe: (stack) => patiently(() => driver.observe(stack)),
    apply: (stack, request) =>
      patiently(() => driver.apply(stack, { ...request, publicKeys, databasePassword })),
    remove: (stack, request) => patiently(() => driver.remove(stack, request)),
    cancelUpdate: (stack, version) => patiently(() => driver.cancelUpdate(stack, version)),
    listKept: (stack) => patiently(async () => (await driver.listKept?.(stack)) ?? []),
  };
}

/** More servers than in the versions before. */
const isLarge = ({ capacity }: Layer): boolean => capacity.kind === 'fixed' && capacity.count > 3;

/** Few resources, because each takes seconds. All servers have agents: work on them is in progress until the world reports for them. */
function adapted(model: StackModel): StackModel {
  const others = model.layers.filter(({ flag }) => flag !== 'Web0').length;
  const layers = model.layers.map((layer): Layer => {
    const servers = (others > 0 ? 0 : 1) + (isLarge(layer) ? 1 : 0);
    return {
      ...layer,
      subnet: { ...layer.subnet, assignPublicIp: false },
      container: layer.container ?? containerWith(null),
      ...(layer.flag === 'Web0' ? { keyPair: false, capacity: { kind: 'fixed', count: servers } } : {}),
    };
  });
  return { ...model, region: rig.region, layers };
}

/** The vendor on the rig, for the contract of data. The rig has no object storage, so that databases cannot be kept. */
export function dataWorld(world: OpenStackWorld, adapt = adapted): DataWorld {
  const access = { ...world.access, accountId: 'a', role: null };
  const vendor = newVendor();
  const stacks: StackOnVendor[] = [];
  /** As after a restart of the server: nothing is remembered. */
  const connect = (): Driver => patient(newVendor().connect(access));
  const cloud = new DataIn(world, connect);
  const ofAll = (work: (stack: StackOnVendor) => Promise<void>) => async (): Promise<void> => {
    for (const stack of stacks) await work(stack);
  };
  return {
    vendor,
    connect,
    newStack: () => {
      const stack = world.newStack();
      stacks.push(stack);
      return stack;
    },
    document: async (stack, model, before) => {
      const wanted = adapt(model);
      const choices = await patiently(async () => vendor.choose?.(access, wanted, before));
      if (!choices?.ok) return choices ?? { ok: false, problems: [] };
      const outcome = vendor.compile(wanted, stack.id, choices.value);
      return JSON.parse(JSON.stringify(outcome)) as typeof outcome;
    },
    passMoment: ofAll((stack) => cloud.untilQuiet(stack)),
    passAll: ofAll((stack) => cloud.untilAtRest(stack)),
    dataIn: (stack, part) => cloud.contentOf(stack, part),
    storeIds: (stack) => cloud.storeIds(stack),
    keptData: (stack) => cloud.keptData(stack),
    can: {
      has: ['database', 'cache', 'files', 'disk'],
      keeps: { cache: 'a volume', files: 'a volume' },
      removesFirst: true,
    },
    // Each takes minutes.
    ...(process.env['ALM_DATA_CONTRACT'] === 'all' ? {} : { together: [] }),
  };
}
