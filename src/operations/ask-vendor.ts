import { Failure } from '../basics/failure.ts';
import type { StackRow } from '../store/stacks/stacks.ts';
import { type StackOnVendor, Unreachable } from '../vendors/vendor.ts';

export const onVendor = (stack: StackRow): StackOnVendor => ({
  id: stack.id,
  accountId: stack.account_id,
  region: stack.region,
});

/** For what a caller waits for: a vendor that cannot be reached is the vendor's trouble, not our mistake. */
export async function askVendor<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof Unreachable)) throw cause;
    throw new Failure('vendor_trouble', `The vendor cannot be reached: ${cause.message}`, {
      description: 'Nothing was changed. Try again.',
      cause,
    });
  }
}
