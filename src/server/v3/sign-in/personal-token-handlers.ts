import { offsetTime } from '../../../basics/clock.ts';
import type { personalTokenRoutes } from '../../../contract/v3/sign-in/personal-tokens.ts';
import type { Actor } from '../../../operations/access/access.ts';
import type { Service } from '../../../operations/service.ts';
import {
  createPersonalToken,
  describePersonalTokens,
  type ListedPersonalToken,
  revokePersonalToken,
} from '../../../operations/sign-in/personal-tokens.ts';
import { type Handlers, reply } from '../../http/binding.ts';
import { readProof } from '../input/proof.ts';
import { scopeText } from '../input/scope-text.ts';

const defaultDays = 30;

const present = (token: ListedPersonalToken) => ({
  token_id: token.id,
  name: token.name,
  roles: token.roles,
  scope: token.scope ?? '',
  created: offsetTime(token.createdAt),
  expires: offsetTime(token.expiresAt),
  last_used: token.lastUsedAt === null ? '' : offsetTime(token.lastUsedAt),
});

export const personalTokenHandlers = (service: Service): Handlers<typeof personalTokenRoutes, Actor> => ({
  createPersonalToken: async ({ actor, body, request }) => {
    const { id, token, expiresAt } = await createPersonalToken(service, actor, {
      name: body.name,
      roles: body.roles ?? null,
      scope: body.scope === undefined ? null : scopeText(body.scope),
      days: body.expires_in_days ?? defaultDays,
      ...readProof(body, request),
    });
    return reply({
      headers: { 'cache-control': 'no-store' },
      body: { status: 'success', token_id: id, token: token.reveal(), expires: offsetTime(expiresAt) },
    });
  },
  listPersonalTokens: async ({ actor, query }) =>
    (await describePersonalTokens(service, actor, query.username || null)).map(present),
  revokePersonalToken: async ({ actor, params }) => {
    await revokePersonalToken(service, actor, params.token_id);
    return { status: 'success', token_id: params.token_id };
  },
});
