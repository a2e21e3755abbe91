import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../basics/clock.ts';
import type { Database } from '../../../store/database/database.ts';
import { deleteMeta, writeMeta } from '../../../store/database/meta.ts';

/** Keys of marks begin with this; their values are the id of a server and when it wrote the mark. */
export const markPrefix = 'registry unread ';
/** While events arrive, the mark is written again this often. */
const renewedMs = 60_000;
/** A mark that is older belongs to a server that ended. */
export const abandonedMs = 3 * renewedMs;

interface UnreadMarkOptions {
  database: Database;
  clock: Clock;
  /** Whether there are events. */
  isNeeded: () => boolean;
}

const newId = (): string => randomBytes(8).toString('hex');

/**
 * Says in the database that this server has events of the registry that are not in the index yet. If the server ends before they are,
 * another one, or the next start, reads the registry again.
 */
export class UnreadMark {
  readonly #options: UnreadMarkOptions;
  #id = newId();
  #value: string | null = null;
  #writtenAt = 0;
  #last = Promise.resolve();

  constructor(options: UnreadMarkOptions) {
    this.#options = options;
  }

  /** Makes the mark say whether there are events. One change after the other: the last one decides. */
  update(): Promise<void> {
    this.#last = this.#last
      .catch(() => {})
      .then(() => (this.#options.isNeeded() ? this.#set() : this.#clear()));
    return this.#last;
  }

  /** Leaves the mark as that of a server that ended: the registry is read again. Later events get another one. */
  leave(): void {
    this.#last = this.#last
      .catch(() => {})
      .then(() => {
        this.#value = null;
        this.#id = newId();
      });
  }

  async #set(): Promise<void> {
    const { database, clock } = this.#options;
    const now = clock.now();
    if (this.#value !== null && now - this.#writtenAt < renewedMs) return;
    const value = `${this.#id} ${now}`;
    await writeMeta(database.query, markPrefix + this.#id, value);
    this.#value = value;
    this.#writtenAt = now;
  }

  async #clear(): Promise<void> {
    if (this.#value === null) return;
    await deleteMeta(this.#options.database.query, markPrefix + this.#id, this.#value);
    this.#value = null;
  }
}
