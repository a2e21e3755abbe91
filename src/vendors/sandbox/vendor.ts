import type { Clock } from '../../basics/clock.ts';
import { accepted, type Driver, emptyView, Unreachable, type Vendor, type VendorAccess } from '../vendor.ts';
import { applyIn, removeIn } from './act/apply.ts';
import { injectIn, outageOf } from './act/faults.ts';
import { privateKeyOf } from './act/keys.ts';
import { hookOf, putHookIn } from './act/lifecycle-hook.ts';
import { restartIn } from './act/restart.ts';
import { replaceIn } from './act/spot.ts';
import { catalog } from './catalog.ts';
import type { SandboxAccount, SandboxCloud, SandboxStack } from './cloud.ts';
import { compile } from './compile.ts';
import type { SandboxDocument } from './document.ts';
import { observationOf } from './observe.ts';
import { preview } from './preview.ts';
import { phaseOf } from './world.ts';

export interface Sandbox {
  cloud: SandboxCloud;
  clock: Clock;
  /** How long things take: 1 is seconds as in a quick real cloud, 0 is at once. */
  speed: number;
}

/** The vendor that needs no cloud: it plans what a cloud would do, and tells it by the clock. */
export const sandboxVendor = (sandbox: Sandbox): Vendor => ({
  name: 'sandbox',
  isSimulated: true,
  // Also saved as `aws`, so that the examples of the interface work without a cloud account.
  builtInCredential: { id: 'SANDBOX', secret: 'sandbox', savedUnder: ['aws', 'sandbox'] },
  catalog,
  compile,
  preview: async (before, after) => preview(before as SandboxDocument | null, after as SandboxDocument),
  connect: (access) => connect(sandbox, access),
  verify: async () => accepted,
});

/** One cloud account, while no outage was asked for. */
function openAccount({ cloud, clock }: Sandbox, cloudAccount: string) {
  const outage = async (stackId: string): Promise<string | undefined> =>
    outageOf(await cloud.readFaults(cloudAccount), stackId, clock.now());
  const refuseDuringOutage = async (stackId: string): Promise<void> => {
    const reason = await outage(stackId);
    if (reason) throw new Unreachable(reason);
  };
  const read = async (stackId: string): Promise<SandboxStack | undefined> => {
    await refuseDuringOutage(stackId);
    return cloud.read(cloudAccount, stackId);
  };
  const change = async <T>(stackId: string, act: (account: SandboxAccount) => T): Promise<T> => {
    await refuseDuringOutage(stackId);
    return cloud.change(cloudAccount, (account) => {
      forgetLongGone(account, clock.now());
      return act(account);
    });
  };
  return { outage, read, change };
}

function connect(sandbox: Sandbox, { accountId, credentialId, secret }: VendorAccess): Driver {
  const { cloud, clock, speed } = sandbox;
  const cloudAccount = `${accountId}/${credentialId}`;
  const { outage, read, change } = openAccount(sandbox, cloudAccount);
  const moment = () => ({ now: clock.now(), speed });
  return {
    async observe({ id }) {
      const reason = await outage(id);
      if (reason) return { kind: 'unreachable', reason };
      const stack = await cloud.read(cloudAccount, id);
      return stack ? observationOf(stack, clock.now()) : { kind: 'absent', view: emptyView };
    },
    async apply(stack, { document, version }) {
      // Only what `compile` made is ever stored and sent here.
      const wanted = document as SandboxDocument;
      await change(stack.id, (account) => applyIn(account, stack, wanted, version, moment()));
      return accepted;
    },
    async remove(stack) {
      await change(stack.id, (account) => removeIn(account, stack, moment()));
      return accepted;
    },
    replaceInstance: (stack, instanceId) =>
      change(stack.id, (account) => replaceIn(account, stack, instanceId, moment())),
    readPrivateKey: async ({ id }, flag) => privateKeyOf(await read(id), flag, secret, clock.now()),
    putLifecycleHook: (stack, seconds) =>
      change(stack.id, (account) => putHookIn(account, stack, seconds, clock.now())),
    readLifecycleHook: async ({ id }) => hookOf(await read(id), clock.now()),
    restartInstance: (stack, instanceId) =>
      change(stack.id, (account) => restartIn(account, stack, instanceId, moment())),
    injectFault: (fault, stack) =>
      cloud.change(cloudAccount, (account) => injectIn(account, fault, stack, moment())),
  };
}

/** A removed stack stays for a while, so that its last events can be read. */
const goneStacksKeptMs = 3_600_000;

function forgetLongGone({ stacks }: SandboxAccount, now: number): void {
  for (const [id, stack] of stacks)
    if (phaseOf(stack, now) === 'gone' && stack.endsAt + goneStacksKeptMs < now) stacks.delete(id);
}
