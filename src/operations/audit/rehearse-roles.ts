import { stackResources } from '../../model/actions.ts';
import { type Decision, type HeldRole, mayAtAll } from '../../model/decide-access.ts';
import { parseScope } from '../../model/role-scope.ts';
import type { AuditRow } from '../../store/access/audit.ts';
import { findStack } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import { type Caller, decideFor, decideOnStack, rolesOfUser } from '../access/permission.ts';
import { userNamed } from '../access/users.ts';
import { refuseDocument } from '../documents/refuse-document.ts';
import type { Service } from '../service.ts';
import { exportAudit } from './read-audit.ts';

export interface Question {
  /** User whose roles are checked, unless `scope` gives a draft. */
  username?: string | undefined;
  scope?: string | undefined;
  action: string;
  /** `mrn:…`, or an id; empty: is the action allowed on any resource? */
  resource: string;
}

const draftRole = (text: string): HeldRole => {
  const parsed = parseScope(text);
  if (!parsed.ok)
    return refuseDocument(
      parsed.problems.map(({ path, message }) => ({ path: path ? `scope/${path}` : 'scope', message })),
      'invalid_request',
    );
  return { roleId: 'draft', name: 'draft', scope: parsed.value.scope };
};

const stackPrefix = /^mrn:alm:(?:stack|template):/;

/** Decides as the server would: for a stack of the account, its owner and dependencies count as well. */
async function decideAbout(
  service: Service,
  caller: Caller,
  { action, resource }: { action: string; resource: string },
): Promise<Decision> {
  const stackId = resource.replace(stackPrefix, '');
  const stack = await findStack(service.database.query, caller.accountId, stackId);
  if (stack) return decideOnStack(caller, action, stack);
  return decideFor(caller, {
    action,
    resources: stackPrefix.test(resource) ? stackResources(stackId) : [resource],
  });
}

const userWith = (accountId: string, username: string, roles: readonly HeldRole[]): Caller => ({
  kind: 'user',
  accountId,
  username,
  master: false,
  roles,
});

/** Explains whether an action would be allowed, and by which statement: for a user's roles, or for a draft. */
export async function explainAccess(
  service: Service,
  { accountId }: Actor,
  question: Question,
): Promise<Decision> {
  const { action, resource, username } = question;
  const { query } = service.database;
  const user = username === undefined ? undefined : await userNamed(query, accountId, username);
  if (question.scope === undefined && user?.master === 1)
    return { allowed: true, why: 'The master user has all permissions.' };
  const roles =
    question.scope === undefined
      ? await rolesOfUser(query, accountId, user?.id ?? '')
      : [draftRole(question.scope)];
  if (resource === '') return mayAtAll(roles, action);
  return decideAbout(service, userWith(accountId, user?.username ?? '', roles), { action, resource });
}

interface Change {
  entry: AuditRow;
  wouldBe: 'allowed' | 'denied';
  why: string;
}

export interface Replay {
  requests: number;
  /** The first changes; `changed` counts all. */
  changes: Change[];
  changed: number;
}

const maxChanges = 1000;
const dayMs = 24 * 60 * 60_000;

/** Resources that roles can name; for all others, only the action itself was decided. */
const isNamedByRoles = (resource: string): boolean =>
  stackPrefix.test(resource) || resource.startsWith('mrn:vendor:');

const decideEntry = async (service: Service, role: HeldRole, entry: AuditRow): Promise<Decision> =>
  isNamedByRoles(entry.resource)
    ? decideAbout(service, userWith(entry.account_id, entry.actor, [role]), entry)
    : mayAtAll([role], entry.action);

/** Replays recent requests of users against a draft, and lists those it would have decided differently. */
export async function replayScope(
  service: Service,
  actor: Actor,
  draft: { scope: string; days: number; username?: string | undefined },
): Promise<Replay> {
  const role = draftRole(draft.scope);
  const filter = { from: service.clock.now() - draft.days * dayMs, actor: draft.username };
  const replay: Replay = { requests: 0, changes: [], changed: 0 };
  for await (const page of exportAudit(service, actor, filter))
    for (const entry of page) {
      // Roles name actions only; they cannot grant `self` and `master`.
      if (entry.actor_kind !== 'user' || !entry.action.includes(':')) continue;
      // Denied by the limits of a personal access token, not by the roles.
      if (entry.token !== null && entry.decision === 'denied') continue;
      replay.requests += 1;
      const { allowed, why } = await decideEntry(service, role, entry);
      const wouldBe = allowed ? 'allowed' : 'denied';
      if (wouldBe === entry.decision) continue;
      replay.changed += 1;
      if (replay.changes.length < maxChanges) replay.changes.push({ entry, wouldBe, why });
    }
  return replay;
}
