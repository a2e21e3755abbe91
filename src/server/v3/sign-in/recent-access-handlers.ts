import { offsetTime } from '../../../basics/clock.ts';
import { Failure } from '../../../basics/failure.ts';
import type { recentAccessRoutes } from '../../../contract/v3/sign-in/recent-access.ts';
import type { Actor } from '../../../operations/access/access.ts';
import {
  describeRecentAccess,
  endAccessSince,
  type MadeAccess,
} from '../../../operations/access/recent-access.ts';
import type { Service } from '../../../operations/service.ts';
import type { Handlers } from '../../http/binding.ts';

const present = (made: readonly MadeAccess[]) =>
  made.map(({ id, name, createdAt }) => ({ id, name, create_time: offsetTime(createdAt) }));

function readTime(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const message = 'since must be a time such as 2030-01-01T00:00:00Z';
  throw new Failure('invalid_request', message, { problems: [{ path: 'since', message }] });
}

export const recentAccessHandlers = (service: Service): Handlers<typeof recentAccessRoutes, Actor> => ({
  describeRecentAccess: async ({ actor, query: { since } }) => {
    const found = await describeRecentAccess(service, actor, since === undefined ? null : readTime(since));
    return {
      clients: present(found.clients),
      users: present(found.users),
      roles: present(found.roles),
      personal_tokens: present(found.personalTokens),
      passkeys: present(found.passkeys),
      sign_ins: present(found.signIns),
    };
  },
  endRecentAccess: async ({ actor, body, setAuditDetail }) => {
    const ended = await endAccessSince(service, actor, readTime(body.since));
    setAuditDetail(
      `since ${body.since}: ${ended.clients} clients, ${ended.personalTokens} tokens, ${ended.passkeys} passkeys, ${ended.signIns} sign-ins`,
    );
    return {
      clients: ended.clients,
      personal_tokens: ended.personalTokens,
      passkeys: ended.passkeys,
      sign_ins: ended.signIns,
      key_links: ended.keyLinks,
    };
  },
});
