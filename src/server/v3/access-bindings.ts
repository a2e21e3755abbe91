import * as access from '../../contract/v3/access.ts';
import type { Actor } from '../../operations/access/access.ts';
import { issueToken, revokeToken } from '../../operations/access/tokens.ts';
import type { Service } from '../../operations/service.ts';
import { type Binding, bindFor, noBody } from '../http/binding.ts';
import { readTokenRequest } from '../shared/token-request.ts';

const bind = bindFor<Actor>();

export const accessBindings = (service: Service): Binding<Actor>[] => [
  bind(access.issueToken, (input) => issueToken(service, readTokenRequest('v3', input))),
  bind(access.revokeToken, async (input) => {
    await revokeToken(service, readTokenRequest('v3', input), input.body.token);
    return noBody;
  }),
];
