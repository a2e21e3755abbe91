import { withCallLimit } from '../../../basics/calls/call-limit.ts';
import { Failure } from '../../../basics/failure.ts';
import type { RolloutRow } from '../../../store/stacks/rollouts.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { type Driver, Unreachable, type Vendor } from '../../../vendors/vendor.ts';
import { limitOf } from '../../ask-vendor.ts';
import { type Service, sealedFor } from '../../service.ts';
import { readDatabasePassword } from '../submit/database-password.ts';
import { connectVendor, type PlacedStack, vendorOf } from '../submit/vendor-access.ts';
import { beforeComplete } from './before-complete.ts';
import { goBack } from './go-back.ts';
import { publicKeysFor } from './key-pairs.ts';

/** A vendor may be missing after a restart with other settings: it is unreachable from this server, not an internal error. */
async function reachable<T>(vendor: Promise<T>): Promise<T> {
  try {
    return await vendor;
  } catch (error) {
    // The credential was deleted, or this server does not drive the vendor. Both can be fixed without a new version.
    if (error instanceof Failure && error.kind !== 'internal' && error.kind !== 'unavailable')
      throw new Unreachable(error.message, { cause: error });
    throw error;
  }
}

/** The parts of the service that the reconciler uses. */
export const reconcileTools = (service: Service) => ({
  database: service.database,
  clock: service.clock,
  limitCalls: <T>(account: string, work: () => Promise<T>): Promise<T> =>
    withCallLimit({ ...limitOf(service, account, service.settings.passLimitMs), isPatient: true }, work),
  connect: (stack: PlacedStack): Promise<Driver> => reachable(connectVendor(service, stack)),
  dataVendorOf: (stack: PlacedStack): Promise<Vendor> => reachable(vendorOf(service, stack)),
  secretsOf: async (stack: StackRow) => ({
    agentToken: service.sealer.unseal(stack.sealed_auth_token, sealedFor.authToken(stack.id)),
    databasePassword: await readDatabasePassword(service, service.database.query, stack),
    publicKeys: await publicKeysFor(service, stack),
  }),
  goBack: (stack: StackRow, failed: RolloutRow): Promise<void> => goBack(service, stack, failed),
  beforeComplete: (stack: StackRow, driver: Driver): Promise<void> => beforeComplete(service, stack, driver),
});
