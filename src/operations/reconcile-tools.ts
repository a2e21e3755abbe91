import type { Secret } from '../basics/secret.ts';
import type { StackRow } from '../store/stacks.ts';
import type { Driver } from '../vendors/vendor.ts';
import { afterSettling } from './after-settling.ts';
import { type Service, sealedFor } from './service.ts';
import { connectVendor } from './vendor-access.ts';

/** What the reconciler is handed of the service. */
export const reconcileTools = (service: Service) => ({
  database: service.database,
  clock: service.clock,
  connect: (stack: StackRow): Promise<Driver> => connectVendor(service, stack),
  agentTokenOf: (stack: StackRow): Secret =>
    service.sealer.unseal(stack.sealed_auth_token, sealedFor.authToken(stack.id)),
  afterSettling: (stack: StackRow, driver: Driver): Promise<void> => afterSettling(service, stack, driver),
});
