import type { Clock } from '../../basics/clock.ts';
import type { DataDriver, DocumentChange } from '../data.ts';
import {
  accepted,
  type Driver,
  emptyView,
  type Survey,
  Unreachable,
  type Vendor,
  type VendorAccess,
} from '../vendor.ts';
import { applyStack, removeStack } from './act/apply.ts';
import { cancelUpdate } from './act/cancel.ts';
import { faultsInForce, injectFault, outageOf, withoutFaultsOf } from './act/faults.ts';
import { keyPairIdOf, privateKeyOf } from './act/keys.ts';
import { hookOf, putHook } from './act/lifecycle-hook.ts';
import { restartInstance } from './act/restart.ts';
import { replaceInstance } from './act/spot.ts';
import { appsOf } from './apps.ts';
import { catalog } from './catalog.ts';
import type { SandboxAccount, SandboxCloud, SandboxFaults, SandboxStack } from './cloud.ts';
import { compile } from './compile.ts';
import { keptAs, keptStores, replacedStores, restore, snapshotsAt, storesOf } from './data.ts';
import type { SandboxDocument } from './document.ts';
import { logsIn } from './logs.ts';
import { observationOf } from './observe.ts';
import { startingPointOf } from './plan/starting-point.ts';
import { preview } from './preview.ts';
import { resourcesOf } from './resources.ts';
import { phaseOf } from './timeline.ts';

export interface Sandbox {
  cloud: SandboxCloud;
  clock: Clock;
  /** Factor on durations: 1 is a few seconds per resource, 0 is immediate. */
  speed: number;
}

/** A simulated cloud: it plans what a cloud would do, and derives the state from the plan and the clock. */
export const sandboxVendor = (sandbox: Sandbox): Vendor => ({
  name: 'sandbox',
  isSimulated: true,
  // Also saved as `aws`, so that the examples of the interface work without a cloud account.
  builtInCredential: { id: 'SANDBOX', secret: 'sandbox', savedUnder: ['aws', 'sandbox'] },
  catalog,
  compile,
  preview: async (before, after) => preview(before as SandboxDocument | null, after as SandboxDocument),
  // Every stored document is a result of `compile`.
  storesOf: (document) => storesOf(document as SandboxDocument),
  replacedStores: async (change) => replacedStores(change as DocumentChange<SandboxDocument>),
  keptAs: ({ store }) => keptAs(store),
  restore: (document, references) => restore(document as SandboxDocument, references),
  resources: (document, flags) => resourcesOf(document as SandboxDocument, flags),
  billing: { kind: 'simulated', note: 'The sandbox is simulated: nothing exists, and nothing is charged.' },
  connect: (access) => connect(sandbox, access),
  verify: async () => accepted,
});

/** Access to one cloud account. Throws during an injected outage. */
function openAccount({ cloud, clock }: Sandbox, cloudAccount: string) {
  const refuseDuringOutage = (faults: SandboxFaults, stackId: string): void => {
    const reason = outageOf(faults, stackId, clock.now());
    if (reason) throw new Unreachable(reason);
  };
  const read = async (stackId: string): Promise<SandboxStack | undefined> => {
    const { stack, faults } = await cloud.read(cloudAccount, stackId);
    refuseDuringOutage(faults, stackId);
    return stack;
  };
  const change = <T>(stackId: string, act: (account: SandboxAccount) => T): Promise<T> =>
    cloud.change(
      cloudAccount,
      (account) => {
        refuseDuringOutage(account.faults, stackId);
        dropRemovedStacks(account, clock.now());
        return act(account);
      },
      stackId,
    );
  return { read, change };
}

const dataMethods = (
  { read, change }: ReturnType<typeof openAccount>,
  { clock, speed }: Sandbox,
): DataDriver => ({
  async remove({ id }, { releases }) {
    await change(id, (account) => removeStack(account, { id, releases }, { now: clock.now(), speed }));
    return accepted;
  },
  cancelUpdate: ({ id }, version) =>
    change(id, (account) => cancelUpdate(account, { id, version }, clock.now())),
  async listKept({ id }) {
    const stack = await read(id);
    return stack ? keptStores(stack, clock.now()) : [];
  },
});

const hookMethods = (
  { read, change }: ReturnType<typeof openAccount>,
  clock: Clock,
): Pick<Driver, 'putLifecycleHook' | 'readLifecycleHook'> => ({
  putLifecycleHook: ({ id: stackId }, heartbeatSeconds) =>
    change(stackId, (account) => putHook(account, { stackId, heartbeatSeconds }, clock.now())),
  readLifecycleHook: async ({ id }) => hookOf(await read(id), clock.now()),
});

const faultMethods = (
  { cloud, clock, speed }: Sandbox,
  cloudAccount: string,
): Pick<Driver, 'injectFault' | 'listFaults'> => ({
  injectFault: (fault, stack) =>
    cloud.change(cloudAccount, (account) =>
      injectFault(account, { fault, stack }, { now: clock.now(), speed }),
    ),
  // Also during an outage, which is one of them.
  listFaults: async () => faultsInForce(await cloud.readFaults(cloudAccount), clock.now()),
});

/** The simulated cloud changes only by its own calls, which count revisions, and by its clock, which settled stacks announce. */
const survey = ({ cloud, clock }: Sandbox, cloudAccount: string): Survey => ({
  everyMs: 300_000,
  aloneMs: 7 * 86_400_000,
  async look() {
    const reason = outageOf(await cloud.readFaults(cloudAccount), '', clock.now());
    if (reason) throw new Unreachable(reason);
    const revisions = await cloud.readRevisions(cloudAccount);
    return new Map([...revisions].map(([id, revision]) => [id, String(revision)]));
  },
});

function connect(sandbox: Sandbox, { accountId, credentialId, secret }: VendorAccess): Driver {
  const { cloud, clock, speed } = sandbox;
  const cloudAccount = `${accountId}/${credentialId}`;
  const { read, change } = openAccount(sandbox, cloudAccount);
  const time = () => ({ now: clock.now(), speed });
  return {
    async observe({ id }) {
      const { stack, faults } = await cloud.read(cloudAccount, id);
      const reason = outageOf(faults, id, clock.now());
      if (reason) return { kind: 'unreachable', reason };
      return stack ? observationOf(stack, clock.now()) : { kind: 'absent', view: emptyView };
    },
    survey: survey(sandbox, cloudAccount),
    async readApps({ id }, asked) {
      const { stack, faults } = await cloud.read(cloudAccount, id);
      return stack ? appsOf(stack, asked, { faults, ...time() }) : [];
    },
    async apply(stack, { document, version, releases = [] }) {
      // Every stored document is a result of `compile`.
      const application = { stack, document: document as SandboxDocument, version, releases };
      await change(stack.id, (account) => applyStack(account, application, time()));
      return accepted;
    },
    forecast: async ({ id }, document) =>
      preview(startingPointOf(await read(id), clock.now()), document as SandboxDocument),
    replaceInstance: ({ id: stackId }, instanceId) =>
      change(stackId, (account) => replaceInstance(account, { stackId, instanceId }, time())),
    async readPrivateKey({ id }, flag) {
      const keyPairId = keyPairIdOf(await read(id), flag, clock.now());
      return keyPairId === undefined ? undefined : privateKeyOf(keyPairId, secret);
    },
    restartInstance: ({ id: stackId }, instanceId) =>
      change(stackId, (account) => restartInstance(account, { stackId, instanceId }, time())),
    readLogs: async ({ id }, request) => logsIn(await read(id), request, clock.now()),
    ...dataMethods({ read, change }, sandbox),
    ...hookMethods({ read, change }, clock),
    ...faultMethods(sandbox, cloudAccount),
  };
}

/** How long a removed stack is kept, so that its last events can be read. */
const removedStackTtlMs = 3_600_000;

/** Snapshots outlive their stack. */
const isForgettable = (stack: SandboxStack, now: number): boolean =>
  phaseOf(stack, now) === 'gone' &&
  stack.endsAt + removedStackTtlMs < now &&
  snapshotsAt(stack, now).length === 0;

function dropRemovedStacks(account: SandboxAccount, now: number): void {
  for (const [id, stack] of account.stacks)
    if (isForgettable(stack, now)) {
      account.stacks.delete(id);
      account.faults = withoutFaultsOf(account.faults, id);
    }
}
