import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import type { Binding } from '../http/binding.ts';
import { accessBindings } from './access-bindings.ts';
import { agentBindings } from './agent-bindings.ts';
import { auditBindings } from './audit-bindings.ts';
import { clientBindings } from './client-bindings.ts';
import { containerBindings } from './container-bindings.ts';
import { credentialBindings } from './credential-bindings.ts';
import { driftBindings } from './drift-bindings.ts';
import { keyBindings } from './key-bindings.ts';
import { roleBindings, userRoleBindings } from './role-bindings.ts';
import { roleRehearsalBindings } from './role-rehearsal-bindings.ts';
import { sandboxBindings } from './sandbox-bindings.ts';
import { sshBindings } from './ssh-bindings.ts';
import { stackBindings } from './stack-bindings.ts';
import { templateBindings } from './template-bindings.ts';
import { ownTokenBindings, userBindings } from './user-bindings.ts';
import { versionBindings } from './version-bindings.ts';

export const v3Bindings = (service: Service): Binding<Actor>[] => [
  ...accessBindings(service),
  ...ownTokenBindings(service),
  ...clientBindings(service),
  ...userBindings(service),
  ...roleRehearsalBindings(service),
  ...roleBindings(service),
  ...userRoleBindings(service),
  ...templateBindings(service),
  ...versionBindings(service),
  ...stackBindings(service),
  ...driftBindings(service),
  ...containerBindings(service),
  ...credentialBindings(service),
  ...keyBindings(service),
  ...sshBindings(service),
  ...agentBindings(service),
  ...sandboxBindings(service),
  ...auditBindings(service),
];
