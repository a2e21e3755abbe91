import * as contract from '../../contract/v2.ts';
import type { Actor } from '../../operations/access/access.ts';
import { issueToken } from '../../operations/access/tokens.ts';
import type { Service } from '../../operations/service.ts';
import { type Binding, bindFor } from '../http/binding.ts';
import { readTokenRequest } from '../shared/token-request.ts';
import { agentBindings } from './agent-bindings.ts';
import { credentialBindings } from './credential-bindings.ts';
import { instanceBindings } from './instance-bindings.ts';
import { keyBindings } from './key-bindings.ts';
import { serverConfigBindings } from './server-config-bindings.ts';
import { stackBindings } from './stack-bindings.ts';

const bind = bindFor<Actor>();

export const v2Bindings = (service: Service): Binding<Actor>[] => [
  bind(contract.issueToken, (input) => issueToken(service, readTokenRequest('v2', input))),
  ...stackBindings(service),
  ...serverConfigBindings(service),
  ...instanceBindings(service),
  ...credentialBindings(service),
  ...keyBindings(service),
  ...agentBindings(service),
];
