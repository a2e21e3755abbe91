import type { Clock } from '../../../basics/clock.ts';
import type { Database } from '../../../store/database/database.ts';
import { EventQueue, maxWaiting, type QueuedWork } from './event-queue.ts';
import { UnreadMark } from './unread-mark.ts';

interface RegistryEventsOptions {
  database: Database;
  clock: Clock;
  stopping: AbortSignal;
}

/** Work on one event. */
export type EventWork = QueuedWork & {
  repository: string;
  /** Reads the whole repository, if there is no room for more work on single events. */
  instead: () => Promise<void>;
};

/** The events of the registry that are not in the index yet. */
export class RegistryEvents {
  readonly #mark: UnreadMark;
  readonly #queue: EventQueue;

  constructor({ database, clock, stopping }: RegistryEventsOptions) {
    this.#queue = new EventQueue({
      clock,
      stopping,
      onEmpty: (isDone) => {
        if (!isDone) this.#mark.leave();
        void this.#mark.update().catch(() => {});
      },
    });
    this.#mark = new UnreadMark({ database, clock, isNeeded: () => this.#queue.isBusy });
  }

  /** Resolves when the database knows that there are events: from then on none is lost. */
  async add(works: readonly EventWork[]): Promise<void> {
    for (const work of works) {
      const { accountId, repository, instead } = work;
      const whole = { accountId, key: `repository ${repository}`, run: instead };
      if (!this.#queue.add(work)) this.#queue.add(whole, 2 * maxWaiting);
    }
    await this.#mark.update();
  }

  /** Resolves when all events are in the index. */
  async idle(): Promise<void> {
    await this.#queue.idle();
    await this.#mark.update();
  }
}
