import { decide } from '../../../src/reconcile/decide.ts';
import {
  type Observation,
  type StackOnVendor,
  Unreachable,
  type VendorDocument,
} from '../../../src/vendors/vendor.ts';
import type { OpenStackWorld } from './world.ts';

/** Tries again while the cloud does not answer in time, as the reconciler does: the rig may share a busy machine. */
export async function patiently<T>(work: () => Promise<T>, tries = 10): Promise<T> {
  for (let left = tries; ; left -= 1)
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof Unreachable) || left <= 1) throw cause;
    }
}

interface Wish {
  document: VendorDocument;
  version: string;
}

/** Does what the reconciler does until there is nothing left to do, and returns the last observation. */
export async function reconcile(
  world: OpenStackWorld,
  stack: StackOnVendor,
  wish: Wish | 'delete',
): Promise<Observation> {
  let tried = false;
  for (let pass = 0; pass < 60; pass += 1) {
    const observation = await patiently(() => world.driver.observe(stack));
    const decision = decide(
      {
        operation: wish === 'delete' ? 'DELETE' : 'UPDATE',
        version: wish === 'delete' ? '' : wish.version,
        settledVersion: null,
        tried,
        refusal: null,
        failures: 0,
        cancelled: null,
      },
      observation,
    );
    if (decision.step === 'nothing' || decision.step === 'give-up') return observation;
    if (decision.step === 'remove') await patiently(() => world.remove(stack));
    else if (decision.step === 'apply' && wish !== 'delete')
      await patiently(() => world.apply(stack, wish.document, wish.version));
    else await world.atRest(stack);
    tried ||= decision.step !== 'wait';
    await world.passMoment();
  }
  throw new Error('Still not at rest after 60 passes.');
}
