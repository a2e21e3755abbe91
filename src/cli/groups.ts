import type { Group } from './command.ts';
import { completionGroup, helpGroup, versionGroup } from './groups/basics.ts';
import { containerGroup, credsGroup, svrconfGroup } from './groups/clouds.ts';
import { auditGroup, clientGroup, userGroup } from './groups/people.ts';
import { rbacGroup } from './groups/rbac.ts';
import { registryGroup } from './groups/registry.ts';
import { loginGroup, profileGroup, resetGroup } from './groups/session.ts';
import { stackGroup } from './groups/stack.ts';
import { templateGroup } from './groups/template.ts';

/** All commands. The parser, the help, the completion and docs/cli.md are generated from this list. */
export const groups: readonly Group[] = [
  loginGroup,
  stackGroup,
  templateGroup,
  containerGroup,
  credsGroup,
  registryGroup,
  rbacGroup,
  userGroup,
  clientGroup,
  auditGroup,
  svrconfGroup,
  profileGroup,
  resetGroup,
  completionGroup,
  versionGroup,
  helpGroup,
];
