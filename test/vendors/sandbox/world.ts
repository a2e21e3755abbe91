import { VirtualClock } from '../../../src/basics/clock.ts';
import { Secret } from '../../../src/basics/secret.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import type { Release } from '../../../src/vendors/data.ts';
import type { Fault } from '../../../src/vendors/fault.ts';
import { memoryCloud } from '../../../src/vendors/sandbox/cloud.ts';
import { networksHeld } from '../../../src/vendors/sandbox/timeline.ts';
import { sandboxVendor } from '../../../src/vendors/sandbox/vendor.ts';
import type { Observation, StackOnVendor, VendorDocument } from '../../../src/vendors/vendor.ts';

const region = 'ap-northeast-1';
export const longEnough = 600_000;
const accountId = '5447826c870e7';

export const stackNamed = (name: string, where = region): StackOnVendor => ({
  id: `mo-${accountId}-${name}-tk`,
  accountId,
  region: where,
});

/** A sandbox with a clock moved by hand, and shorthands for one stack. */
export function sandboxWorld(speed = 1) {
  const clock = new VirtualClock();
  const cloud = memoryCloud();
  const vendor = sandboxVendor({ cloud, clock, speed });
  const connect = (credentialId: string) =>
    vendor.connect({ accountId, credentialId, secret: new Secret('none'), role: null, authUrl: null });
  const driver = connect('cred');
  const compiled = (model: StackModel, stackId: string): VendorDocument => {
    const outcome = vendor.compile(model, stackId);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
    return JSON.parse(JSON.stringify(outcome.value));
  };
  const inject = async (fault: Fault, stack?: StackOnVendor) => driver.injectFault?.(fault, stack);
  /** The row of a stack in the simulated cloud. */
  const stored = async (stack: StackOnVendor) => (await cloud.read(`${accountId}/cred`, stack.id)).stack;
  const networks = async (stack: StackOnVendor): Promise<number> => {
    const found = await stored(stack);
    return found ? networksHeld(found, clock.now()) : 0;
  };
  const on = (stack: StackOnVendor) => ({
    apply: (model: StackModel, version: string, releases: readonly Release[] = []) =>
      driver.apply(stack, {
        document: compiled({ ...model, region: stack.region }, stack.id),
        version,
        releases,
        agentToken: new Secret('agent'),
      }),
    remove: () => driver.remove(stack, { releases: [], intent: 'delete 1' }),
    observe: () => driver.observe(stack),
    view: async () => viewOf(await driver.observe(stack)),
    inject: (fault: Fault) => inject(fault, stack),
    networks: () => networks(stack),
    stack,
  });
  return { clock, cloud, vendor, driver, connect, compiled, inject, stored, on };
}

export function viewOf(observation: Observation) {
  if (observation.kind === 'unreachable') throw new Error(observation.reason);
  return observation.view;
}
