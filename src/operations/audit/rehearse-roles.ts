import { stackResources } from '../../model/actions.ts';
import { type Decision, type HeldRole, mayAtAll } from '../../model/decide-access.ts';
import { parseScope } from '../../model/role-scope.ts';
import type { AuditRow } from '../../store/access/audit.ts';
import { findStack } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import { type Caller, decideFor, decideOnStack, rolesOfUser } from '../access/permission.ts';
import { userNamed } from '../access/users.ts';
import type { Service } from '../service.ts';
import { refuseDocument } from '../stacks/submit/refuse-document.ts';
import { exportAudit } from './read-audit.ts';

export interface Question {
  /** Whose roles; or a draft in place of anybody's. */
  username?: string | undefined;
  scope?: string | undefined;
  action: string;
  /** `mrn:…`, or a bare id; empty asks whether the action may be done to anything at all. */
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

/** Decides as the server would: a stack of the account brings its owner and what it is built with along. */
async function decideAbout(
  service: Service,
  caller: Caller,
  action: string,
  resource: string,
): Promise<Decision> {
  const stackId = resource.replace(stackPrefix, '');
  const stack = await findStack(service.database.query, caller.accountId, stackId);
  if (stack) return decideOnStack(caller, action, stack);
  return decideFor(caller, {
    action,
    resources: stackPrefix.test(resource) ? stackResources(stackId) : [resource],
  });
}

const somebodyWith = (accountId: string, username: string, roles: readonly HeldRole[]): Caller => ({
  kind: 'user',
  accountId,
  username,
  master: false,
  roles,
});

/** Would it be allowed, and by which statement: for one user as things are, or for a draft. */
export async function explainAccess(
  service: Service,
  { accountId }: Actor,
  question: Question,
): Promise<Decision> {
  const { action, resource, username } = question;
  const { query } = service.database;
  const user = username === undefined ? undefined : await userNamed(query, accountId, username);
  if (question.scope === undefined && user?.master === 1)
    return { allowed: true, why: 'The master may do everything.' };
  const roles =
    question.scope === undefined
      ? await rolesOfUser(query, accountId, user?.id ?? '')
      : [draftRole(question.scope)];
  if (resource === '') return mayAtAll(roles, action);
  return decideAbout(service, somebodyWith(accountId, user?.username ?? '', roles), action, resource);
}

export interface Change {
  entry: AuditRow;
  wouldBe: 'allowed' | 'denied';
  why: string;
}

export interface Replay {
  requests: number;
  /** The first ones; `changed` counts all. */
  changes: Change[];
  changed: number;
}

const maxChanges = 1000;
const dayMs = 24 * 60 * 60_000;

/** What roles can name; about anything else only whether the action is allowed at all was decided. */
const isNamedByRoles = (resource: string): boolean =>
  stackPrefix.test(resource) || resource.startsWith('mrn:vendor:');

const decideEntry = async (service: Service, role: HeldRole, entry: AuditRow): Promise<Decision> =>
  isNamedByRoles(entry.resource)
    ? decideAbout(service, somebodyWith(entry.account_id, entry.actor, [role]), entry.action, entry.resource)
    : mayAtAll([role], entry.action);

/** What a draft would have decided about what users really asked for lately, where it differs from what was decided. */
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
      // Roles speak of named actions only; `self` and `master` are not theirs to give.
      if (entry.actor_kind !== 'user' || !entry.action.includes(':')) continue;
      replay.requests += 1;
      const { allowed, why } = await decideEntry(service, role, entry);
      const wouldBe = allowed ? 'allowed' : 'denied';
      if (wouldBe === entry.decision) continue;
      replay.changed += 1;
      if (replay.changes.length < maxChanges) replay.changes.push({ entry, wouldBe, why });
    }
  return replay;
}
