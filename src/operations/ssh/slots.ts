import { Failure } from '../../basics/failure.ts';
import { type Actor, nameOf } from '../access/access.ts';
import type { Service } from '../service.ts';
import { sshOptions } from './options.ts';

/** How many connections each user has open, in this process. */
const taken = new WeakMap<Service, Map<string, number>>();

const seatsOf = (service: Service): Map<string, number> => {
  const seats = taken.get(service) ?? new Map<string, number>();
  taken.set(service, seats);
  return seats;
};

/** Takes one of the connections a user may have at a time; gives back how to return it. */
export function acquireSlot(service: Service, actor: Actor): () => void {
  const seats = seatsOf(service);
  const name = `${actor.accountId} ${nameOf(actor)}`;
  const { maxAtOnce } = sshOptions(service);
  const before = seats.get(name) ?? 0;
  if (before >= maxAtOnce)
    throw new Failure('too_many_requests', `${maxAtOnce} of your connections to instances are open already`, {
      description: 'End one of them and try again.',
      retryAfter: 5,
    });
  seats.set(name, before + 1);
  return () => {
    const left = (seats.get(name) ?? 1) - 1;
    if (left > 0) seats.set(name, left);
    else seats.delete(name);
  };
}
