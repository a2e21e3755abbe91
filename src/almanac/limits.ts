import type { Config } from '../basics/config.ts';
import type { Quota } from '../model/quota.ts';
import type { Actor } from '../operations/access/access.ts';
import type { DeclaredAccess } from '../operations/access/may-call.ts';
import { knownQuota, quotaOf } from '../operations/access/quota.ts';
import type { Service } from '../operations/service.ts';
import { type ActorLimit, type Demand, makeRateLimits } from '../server/http/rate-limit.ts';

/** What one user or API client may take of the requests of its account, and a personal access token of those of its user. */
const share = 0.5;
/** What everybody else leaves for the master, who must be able to stop a caller that takes too much. */
const masterReserve = 0.2;

/** The master has no share: it may use everything that the account has. */
function demandsOf(actor: Actor, perSecond: number): Demand[] {
  const account = { key: `account ${actor.accountId}`, perSecond };
  if (actor.kind === 'user' && actor.master) return [account];
  const shared = [{ ...account, keeps: masterReserve }];
  if (actor.kind !== 'user')
    return [...shared, { key: `client ${actor.clientId}`, perSecond: perSecond * share }];
  const user = { key: `user ${actor.userId}`, perSecond: perSecond * share };
  if (!actor.personalToken) return [...shared, user];
  return [...shared, user, { key: `token ${actor.personalToken.id}`, perSecond: user.perSecond * share }];
}

const adviceOn = (perSecond: number): string =>
  `The quota of the account is ${perSecond} requests per second; the operator of this server can raise it. ` +
  'A user or API client may take half of it, a personal access token a quarter.';

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
    if (actor.kind === 'stack')
      return { demands: [{ key: `stack ${actor.stackId}${purpose}`, perSecond: rateLimit }] };
    const limit = ({ requests: perSecond }: Quota): ActorLimit => ({
      demands:
        access === 'agent'
          ? [{ key: `agents of ${actor.accountId}`, perSecond }]
          : demandsOf(actor, perSecond),
      advice: adviceOn(perSecond),
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
