import { accountRoutes } from './v3/account.ts';
import { agentRoutes } from './v3/agents.ts';
import { auditRoutes } from './v3/audit.ts';
import { hookRoutes } from './v3/automatic/hooks.ts';
import { automaticRoutes } from './v3/automatic/state.ts';
import { clientRoutes } from './v3/clients.ts';
import { driftRoutes } from './v3/cloud/drift.ts';
import { imageRoutes } from './v3/cloud/images.ts';
import { portabilityRoutes } from './v3/cloud/portability.ts';
import { resourceRoutes } from './v3/cloud/resources.ts';
import { templateSchemaRoutes } from './v3/cloud/template-schema.ts';
import { containerRoutes } from './v3/containers.ts';
import { credentialRoutes } from './v3/credentials.ts';
import { dataRoutes } from './v3/data.ts';
import { keyRoutes } from './v3/keys.ts';
import { logRoutes } from './v3/logs.ts';
import { registryImageRoutes } from './v3/registry/images.ts';
import { registryNotificationRoutes } from './v3/registry/notifications.ts';
import { registryTokenRoutes } from './v3/registry/token.ts';
import { roleRehearsalRoutes } from './v3/role-rehearsal.ts';
import { roleRoutes } from './v3/roles.ts';
import { rolloutRoutes } from './v3/rollouts.ts';
import { sandboxRoutes } from './v3/sandbox.ts';
import { secretRoutes } from './v3/secrets/secrets.ts';
import { accessRoutes } from './v3/sign-in/access.ts';
import { handOverRoutes } from './v3/sign-in/hand-over.ts';
import { openIdRoutes } from './v3/sign-in/openid.ts';
import { ownTokenRoutes } from './v3/sign-in/own-tokens.ts';
import { passkeyRoutes } from './v3/sign-in/passkeys.ts';
import { personalTokenRoutes } from './v3/sign-in/personal-tokens.ts';
import { proofRoutes } from './v3/sign-in/proof.ts';
import { recentAccessRoutes } from './v3/sign-in/recent-access.ts';
import { secondFactorRoutes } from './v3/sign-in/second-factor.ts';
import { sessionRoutes } from './v3/sign-in/session.ts';
import { sshRoutes } from './v3/ssh.ts';
import { stackRoutes } from './v3/stacks.ts';
import { templateRoutes } from './v3/templates.ts';
import { userRoleRoutes } from './v3/user-roles.ts';
import { userRoutes } from './v3/users.ts';
import { versionRoutes } from './v3/versions.ts';

export const v3Routes = [
  ...accessRoutes,
  ...sessionRoutes,
  ...ownTokenRoutes,
  ...openIdRoutes,
  ...personalTokenRoutes,
  ...accountRoutes,
  ...recentAccessRoutes,
  ...proofRoutes,
  ...passkeyRoutes,
  ...handOverRoutes,
  ...secondFactorRoutes,
  ...clientRoutes,
  ...userRoutes,
  ...roleRehearsalRoutes,
  ...roleRoutes,
  ...userRoleRoutes,
  ...templateRoutes,
  ...portabilityRoutes,
  ...templateSchemaRoutes,
  ...versionRoutes,
  ...stackRoutes,
  ...dataRoutes,
  ...rolloutRoutes,
  ...automaticRoutes,
  ...hookRoutes,
  ...resourceRoutes,
  ...driftRoutes,
  ...imageRoutes,
  ...containerRoutes,
  ...credentialRoutes,
  ...secretRoutes,
  ...keyRoutes,
  ...logRoutes,
  ...sshRoutes,
  ...agentRoutes,
  ...registryTokenRoutes,
  ...registryImageRoutes,
  ...registryNotificationRoutes,
  ...sandboxRoutes,
  ...auditRoutes,
] as const;
