import type { Service } from '../../../operations/service.ts';
import { handOverHandlers, passkeyHandlers } from './passkey-handlers.ts';
import { proofHandlers } from './proof-handlers.ts';

/** What a signed-in browser does beside its session. */
export const browserHandlers = (service: Service) => ({
  ...proofHandlers(service),
  ...passkeyHandlers(service),
  ...handOverHandlers(service),
});
