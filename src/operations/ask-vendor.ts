import { type LimitOptions, withCallLimit } from '../basics/calls/call-limit.ts';
import { ServerStops, Silent } from '../basics/calls/unreachable.ts';
import { Failure } from '../basics/failure.ts';
import { CredentialRejected, Unreachable } from '../vendors/vendor.ts';
import type { Service } from './service.ts';

/** Callers do not wait longer for a vendor that does not answer. */
const requestMs = 10_000;

type Calling = Pick<Service, 'clock' | 'endpoints' | 'stopping'>;

export const limitOf = (
  { clock, endpoints, stopping }: Calling,
  account: string,
  ms = requestMs,
): LimitOptions => ({ clock, endpoints, stopping, account, ms });

/** Calls a vendor while a caller waits: an unreachable vendor becomes a failure of the vendor, not an internal error. */
export async function askVendor<T>(service: Calling, account: string, call: () => Promise<T>): Promise<T> {
  try {
    return await withCallLimit(limitOf(service, account), call);
  } catch (cause) {
    if (cause instanceof ServerStops)
      throw new Failure('unavailable', cause.message, { retryAfter: 5, description: 'Try again.', cause });
    if (!(cause instanceof Unreachable)) throw cause;
    throw new Failure('vendor_trouble', `${problemOf(cause)}: ${cause.message}`, {
      description: 'Nothing was changed. Try again.',
      ...(cause instanceof Silent ? { retryAfter: Math.ceil(cause.waitMs / 1000) } : {}),
      cause,
    });
  }
}

const problemOf = (cause: Unreachable): string =>
  cause instanceof CredentialRejected ? 'The vendor rejects the credential' : 'The vendor cannot be reached';
