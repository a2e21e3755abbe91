import type * as access from '../../contract/v3/sign-in/access.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { revokeToken } from '../../operations/sign-in/tokens.ts';
import { type Handlers, noBody } from '../http/binding.ts';
import { readTokenRequest, tokenHandlers } from '../shared/token-handlers.ts';

export const accessHandlers = (service: Service): Handlers<typeof access.accessRoutes, Actor> => ({
  ...tokenHandlers(service, 'v3'),
  revokeToken: async (input) => {
    await revokeToken(service, readTokenRequest('v3', input), input.body.token);
    return noBody;
  },
});
