import type { Group } from './command.ts';
import { accountGroup, whoamiGroup } from './groups/account.ts';
import { auditGroup } from './groups/audit.ts';
import { clientGroup } from './groups/client.ts';
import { completionGroup } from './groups/completion.ts';
import { containerGroup, logsGroup } from './groups/container.ts';
import { credsGroup } from './groups/creds.ts';
import { helpGroup, versionGroup } from './groups/help.ts';
import { loginGroup } from './groups/login.ts';
import { profileGroup, resetGroup } from './groups/profile.ts';
import { rbacGroup } from './groups/rbac.ts';
import { registryGroup } from './groups/registry.ts';
import { sandboxGroup } from './groups/sandbox.ts';
import { passkeyGroup, signInGroup } from './groups/sign-in.ts';
import { stackGroup } from './groups/stack.ts';
import { statusGroup } from './groups/status.ts';
import { svrconfGroup } from './groups/svrconf.ts';
import { templateGroup } from './groups/template.ts';
import { otpGroup, tokenGroup } from './groups/token.ts';
import { apiGroup } from './groups/tools/api.ts';
import { automaticGroup, deployHookGroup } from './groups/tools/automatic.ts';
import { dataGroup } from './groups/tools/data.ts';
import { deployGroup, openGroup, restartGroup } from './groups/tools/deploy.ts';
import { initGroup } from './groups/tools/init.ts';
import { rolloutGroup } from './groups/tools/rollout.ts';
import { secretGroup } from './groups/tools/secret.ts';
import { upGroup } from './groups/tools/up.ts';
import { useGroup } from './groups/tools/use.ts';
import { userGroup } from './groups/user.ts';

/** All commands. The parser, the help, the completion and docs/cli.md are generated from this. */
export const groups: readonly Group[] = [
  loginGroup,
  whoamiGroup,
  statusGroup,
  stackGroup,
  initGroup,
  upGroup,
  deployGroup,
  restartGroup,
  rolloutGroup,
  logsGroup,
  openGroup,
  useGroup,
  deployHookGroup,
  automaticGroup,
  templateGroup,
  dataGroup,
  containerGroup,
  credsGroup,
  secretGroup,
  registryGroup,
  rbacGroup,
  userGroup,
  clientGroup,
  tokenGroup,
  accountGroup,
  signInGroup,
  otpGroup,
  passkeyGroup,
  auditGroup,
  svrconfGroup,
  sandboxGroup,
  apiGroup,
  profileGroup,
  resetGroup,
  completionGroup,
  versionGroup,
  helpGroup,
];
