import { v2Routes } from '../../contract/v2.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { type Binding, bindAllFor } from '../http/binding.ts';
import { credentialHandlers } from '../shared/credential-handlers.ts';
import { configurationSchemaHandlers } from '../shared/document-schema-handlers.ts';
import { keyLinkHandlers } from '../shared/key-link-handler.ts';
import { registryImageHandlers } from '../shared/registry-image-handlers.ts';
import { registryTokenHandlers } from '../shared/registry-token-handlers.ts';
import { tokenHandlers } from '../shared/token-handlers.ts';
import { agentHandlers } from './agent-handlers.ts';
import { instanceHandlers } from './instance-handlers.ts';
import { serverConfigHandlers } from './server-config-handlers.ts';
import { stackHandlers } from './stack-handlers.ts';
import { userHandlers } from './user-handlers.ts';

export const v2Bindings = (service: Service): Binding<Actor>[] =>
  bindAllFor<Actor>()(v2Routes, {
    ...tokenHandlers(service, 'v2'),
    ...stackHandlers(service),
    ...configurationSchemaHandlers(service),
    ...serverConfigHandlers(service),
    ...instanceHandlers(service),
    ...credentialHandlers(service),
    ...keyLinkHandlers(service, 'v2'),
    ...agentHandlers(service),
    ...registryTokenHandlers(service),
    ...registryImageHandlers(service, 'v2'),
    ...userHandlers(service),
  });
