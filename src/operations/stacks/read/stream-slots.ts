import { Failure } from '../../../basics/failure.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { quotaExceeded, quotaOf } from '../../access/quota.ts';
import type { Service } from '../../service.ts';

const advice = 'Close one of them and try again, or read the events with GET …/events.';

/** Open event streams by user and by account, in this process. */
export class StreamSlots {
  readonly #service: Service;
  readonly #used = new Map<string, number>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** Takes a slot of the user and one of the account, or fails with `too_many_requests`. Returns a function that frees both. */
  async take(actor: Actor): Promise<() => void> {
    const { streams: perAccount } = await quotaOf(this.#service, actor.accountId);
    const perUser = this.#service.settings.limits.streamsPerUser;
    const user = `user ${actor.accountId} ${actor.kind} ${nameOf(actor)}`;
    const account = `account ${actor.accountId}`;
    if (this.#isAt(user, perUser))
      throw new Failure('too_many_requests', `You already have ${perUser} open event streams`, {
        description: advice,
        retryAfter: 5,
      });
    if (this.#isAt(account, perAccount)) throw quotaExceeded('streams', perAccount, advice);
    this.#add([user, account], 1);
    return () => this.#add([user, account], -1);
  }

  #isAt(holder: string, limit: number): boolean {
    return limit !== 0 && (this.#used.get(holder) ?? 0) >= limit;
  }

  #add(holders: readonly string[], count: number): void {
    for (const holder of holders) {
      const used = (this.#used.get(holder) ?? 0) + count;
      if (used > 0) this.#used.set(holder, used);
      else this.#used.delete(holder);
    }
  }
}
