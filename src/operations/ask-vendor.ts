import { Failure } from '../basics/failure.ts';
import { CredentialRejected, Unreachable } from '../vendors/vendor.ts';

/** Calls a vendor while a caller waits: an unreachable vendor becomes a failure of the vendor, not an internal error. */
export async function askVendor<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof Unreachable)) throw cause;
    const problem =
      cause instanceof CredentialRejected
        ? 'The vendor rejects the credential'
        : 'The vendor cannot be reached';
    throw new Failure('vendor_trouble', `${problem}: ${cause.message}`, {
      description: 'Nothing was changed. Try again.',
      cause,
    });
  }
}
