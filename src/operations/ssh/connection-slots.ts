import { Failure } from '../../basics/failure.ts';
import { type Actor, nameOf } from '../access/access.ts';
import type { Service } from '../service.ts';
import { sshOptions } from './options.ts';

/** Open connections per user, in this process. */
const openConnections = new WeakMap<Service, Map<string, number>>();

const countsOf = (service: Service): Map<string, number> => {
  const counts = openConnections.get(service) ?? new Map<string, number>();
  openConnections.set(service, counts);
  return counts;
};

/** Takes one of a user's connection slots, or fails with `too_many_requests`. Returns a function that releases it. */
export function acquireSlot(service: Service, actor: Actor): () => void {
  const counts = countsOf(service);
  const user = `${actor.accountId} ${nameOf(actor)}`;
  const { maxConnections } = sshOptions(service);
  const used = counts.get(user) ?? 0;
  if (used >= maxConnections)
    throw new Failure(
      'too_many_requests',
      `You already have ${maxConnections} open connections to instances`,
      {
        description: 'Close one of them and try again.',
        retryAfter: 5,
      },
    );
  counts.set(user, used + 1);
  return () => {
    const left = (counts.get(user) ?? 1) - 1;
    if (left > 0) counts.set(user, left);
    else counts.delete(user);
  };
}
