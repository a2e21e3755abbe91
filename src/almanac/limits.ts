import type { Config } from '../basics/config.ts';
import type { Quota } from '../model/quota.ts';
import type { Actor } from '../operations/access/access.ts';
import type { DeclaredAccess } from '../operations/access/may-call.ts';
import { knownQuota, quotaOf } from '../operations/access/quota.ts';
import type { Service } from '../operations/service.ts';
import { type ActorLimit, makeRateLimits } from '../server/http/rate-limit.ts';

/**
 * The agents of a stack have a separate limit: however many there are, they do not slow down the users of the account. Their
 * logs have another one: however many readers there are, reports arrive.
 */
const limitFor =
  (service: Service, { rateLimit }: Config) =>
  (
    actor: Actor,
    { access, path }: { access: DeclaredAccess; path: string },
  ): ActorLimit | Promise<ActorLimit> => {
    const purpose = path.startsWith('/v3/alm/agent/log') ? ' logs' : '';
    if (actor.kind === 'stack') return { key: `stack ${actor.stackId}${purpose}`, perSecond: rateLimit };
    const caller = access === 'agent' ? 'agents of' : 'account';
    const limit = ({ requests: perSecond }: Quota): ActorLimit => ({
      key: `${caller} ${actor.accountId}`,
      perSecond,
      advice: `The quota of the account is ${perSecond} requests per second; the operator of this server can raise it.`,
    });
    const known = knownQuota(service, actor.accountId);
    return known ? limit(known) : quotaOf(service, actor.accountId).then(limit);
  };

export const rateLimits = (service: Service, config: Config) =>
  makeRateLimits({
    clock: service.clock,
    limitOf: limitFor(service, config),
    perAddress: config.tokenRateLimit,
  });
