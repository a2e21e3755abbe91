import { offsetTime } from '../../../basics/clock.ts';
import type * as tokens from '../../../contract/v3/sign-in/own-tokens.ts';
import type { Actor } from '../../../operations/access/access.ts';
import type { Service } from '../../../operations/service.ts';
import {
  describeOwnTokens,
  describeTokensOf,
  endOtherTokens,
  endOwnToken,
  endTokenOf,
  endTokensOf,
  type ListedToken,
} from '../../../operations/sign-in/own-tokens.ts';
import type { Handlers } from '../../http/binding.ts';

const present = (token: ListedToken) => ({
  token_id: token.id,
  kind: 'user' as const,
  client_id: token.clientId,
  client_kind: token.clientKind,
  grant_type: token.grantType,
  address: token.address,
  user_agent: token.userAgent,
  issued: offsetTime(token.issuedAt),
  expires: offsetTime(token.expiresAt),
  last_used: token.lastUsedAt === null ? '' : offsetTime(token.lastUsedAt),
  current: token.current,
});

const revokedMany = (revoked: number) => ({ status: 'success', revoked });

export const ownTokenHandlers = (service: Service): Handlers<typeof tokens.ownTokenRoutes, Actor> => ({
  listOwnTokens: async ({ actor }) => (await describeOwnTokens(service, actor)).map(present),
  endOwnToken: async ({ actor, params }) => {
    await endOwnToken(service, actor, params.token_id);
    return { status: 'success', token_id: params.token_id };
  },
  endOtherTokens: async ({ actor }) => revokedMany(await endOtherTokens(service, actor)),
  listTokensOfUser: async ({ actor, params }) =>
    (await describeTokensOf(service, actor, params.username)).map(present),
  endTokenOfUser: async ({ actor, params }) => {
    await endTokenOf(service, actor, { username: params.username, id: params.token_id });
    return { status: 'success', token_id: params.token_id };
  },
  endTokensOfUser: async ({ actor, params }) =>
    revokedMany(await endTokensOf(service, actor, params.username)),
});
