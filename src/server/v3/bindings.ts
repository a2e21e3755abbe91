import { v3Routes } from '../../contract/v3.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { type Binding, bindAllFor } from '../http/binding.ts';
import { credentialHandlers } from '../shared/credential-handlers.ts';
import { templateSchemaHandlers } from '../shared/document-schema-handlers.ts';
import { logHandlers } from '../shared/log-handlers.ts';
import { registryImageHandlers } from '../shared/registry-image-handlers.ts';
import { registryTokenHandlers } from '../shared/registry-token-handlers.ts';
import { resourceHandlers } from '../shared/resource-handlers.ts';
import { accessHandlers } from './access-handlers.ts';
import { accountHandlers } from './account-handlers.ts';
import { agentHandlers } from './agent-handlers.ts';
import { auditHandlers } from './audit-handlers.ts';
import { automaticHandlers, hookHandlers } from './automatic/handlers.ts';
import { clientHandlers } from './client-handlers.ts';
import { driftHandlers } from './cloud/drift-handlers.ts';
import { imageHandlers } from './cloud/image-handlers.ts';
import { containerHandlers } from './container-handlers.ts';
import { dataHandlers } from './data-handlers.ts';
import { keyHandlers } from './key-handlers.ts';
import { registryNotificationHandlers } from './registry-notification-handlers.ts';
import { roleHandlers, userRoleHandlers } from './role-handlers.ts';
import { roleRehearsalHandlers } from './role-rehearsal-handlers.ts';
import { rolloutHandlers } from './rollout-handlers.ts';
import { sandboxHandlers } from './sandbox-handlers.ts';
import { secretHandlers } from './secrets/handlers.ts';
import { browserHandlers } from './sign-in/browser-handlers.ts';
import { openIdHandlers } from './sign-in/openid-handlers.ts';
import { personalTokenHandlers } from './sign-in/personal-token-handlers.ts';
import { recentAccessHandlers } from './sign-in/recent-access-handlers.ts';
import { secondFactorHandlers } from './sign-in/second-factor-handlers.ts';
import { type SessionOptions, sessionHandlers } from './sign-in/session-handlers.ts';
import { ownTokenHandlers } from './sign-in/token-list-handlers.ts';
import { sshHandlers } from './ssh-handlers.ts';
import { stackHandlers } from './stack-handlers.ts';
import { portabilityHandlers, templateHandlers } from './template-handlers.ts';
import { userHandlers } from './user-handlers.ts';
import { versionHandlers } from './version-handlers.ts';

const allOfSignIn = (service: Service, options: SessionOptions) => ({
  ...accessHandlers(service),
  ...sessionHandlers(service, options),
  ...ownTokenHandlers(service),
  ...openIdHandlers(service),
  ...personalTokenHandlers(service),
  ...browserHandlers(service),
  ...secondFactorHandlers(service),
});

export const v3Bindings = (service: Service, options: SessionOptions): Binding<Actor>[] =>
  bindAllFor<Actor>()(v3Routes, {
    ...allOfSignIn(service, options),
    ...accountHandlers(service),
    ...recentAccessHandlers(service),
    ...clientHandlers(service),
    ...userHandlers(service),
    ...roleRehearsalHandlers(service),
    ...roleHandlers(service),
    ...userRoleHandlers(service),
    ...templateHandlers(service),
    ...portabilityHandlers(service),
    ...templateSchemaHandlers(service),
    ...versionHandlers(service),
    ...stackHandlers(service),
    ...dataHandlers(service),
    ...rolloutHandlers(service),
    ...automaticHandlers(service),
    ...hookHandlers(service),
    ...resourceHandlers(service, 'v3'),
    ...driftHandlers(service),
    ...imageHandlers(service),
    ...containerHandlers(service),
    ...credentialHandlers(service),
    ...secretHandlers(service),
    ...keyHandlers(service),
    ...logHandlers(service),
    ...sshHandlers(service),
    ...agentHandlers(service),
    ...registryTokenHandlers(service),
    ...registryImageHandlers(service, 'v3'),
    ...registryNotificationHandlers(service),
    ...sandboxHandlers(service),
    ...auditHandlers(service),
  });
