import type { HeldRole } from '../../src/model/decide-access.ts';
import { readScope, roleTemplates } from '../../src/model/role-scope.ts';

/** A role that allows everything roles can allow, for users who are not the master. */
export function adminRole(): HeldRole {
  const parsed = readScope(roleTemplates.find((template) => template.id === 'admin')?.scope);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { roleId: 'admin', name: 'admin', scope: parsed.value.scope };
}
