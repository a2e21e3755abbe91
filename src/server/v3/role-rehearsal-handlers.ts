import { offsetTime } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import type * as contract from '../../contract/v3/role-rehearsal.ts';
import type { Actor } from '../../operations/access/access.ts';
import { refuseLongScope } from '../../operations/access/roles.ts';
import { explainAccess, replayScope } from '../../operations/audit/rehearse-roles.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';
import { scopeText } from './input/scope-text.ts';

const defaultDays = 7;

const draftOf = (scope: unknown): string => {
  const text = scopeText(scope);
  refuseLongScope(text);
  return text;
};

export const roleRehearsalHandlers = (
  service: Service,
): Handlers<typeof contract.roleRehearsalRoutes, Actor> => ({
  explainAccess: async ({ actor, body }) => {
    const { username, action, resource = '' } = body;
    if (username === undefined && body.scope === undefined)
      throw new Failure('invalid_request', 'username or scope not specified');
    const scope = body.scope === undefined ? undefined : draftOf(body.scope);
    const { allowed, why, by } = await explainAccess(service, actor, { username, scope, action, resource });
    return {
      decision: allowed ? 'allowed' : 'denied',
      why,
      role_id: by?.roleId ?? '',
      statement: by?.statement ?? null,
    };
  },
  replayScope: async ({ actor, body }) => {
    const { days = defaultDays, username } = body;
    const replay = await replayScope(service, actor, { scope: draftOf(body.scope), days, username });
    return {
      requests: replay.requests,
      changed: replay.changed,
      changes: replay.changes.map(({ entry, wouldBe, why }) => ({
        number: entry.number,
        time: offsetTime(entry.at),
        actor: entry.actor,
        action: entry.action,
        resource: entry.resource,
        was: entry.decision,
        would_be: wouldBe,
        why,
      })),
    };
  },
});
