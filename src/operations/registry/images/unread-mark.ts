import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../basics/clock.ts';
import type { Database } from '../../../store/database/database.ts';
import { deleteMeta, listMeta, writeMeta } from '../../../store/database/meta.ts';
import type { Service } from '../../service.ts';
import { syncRegistry } from './sync.ts';

const prefix = 'registry unread ';
/** While events arrive, the mark is written again this often. */
const renewedMs = 60_000;
/** A mark that is older belongs to a server that ended. */
const abandonedMs = 3 * renewedMs;

interface UnreadMarkOptions {
  database: Database;
  clock: Clock;
  /** Whether there are events. */
  isNeeded: () => boolean;
}

/**
 * Says in the database that this server has events of the registry that are not in the index yet. If the server ends before they are,
 * another one, or the next start, reads the registry again.
 */
export class UnreadMark {
  readonly #options: UnreadMarkOptions;
  readonly #id = randomBytes(8).toString('hex');
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

  async #set(): Promise<void> {
    const { database, clock } = this.#options;
    const now = clock.now();
    if (this.#value !== null && now - this.#writtenAt < renewedMs) return;
    const value = `${this.#id} ${now}`;
    await writeMeta(database.query, prefix + this.#id, value);
    this.#value = value;
    this.#writtenAt = now;
  }

  async #clear(): Promise<void> {
    if (this.#value === null) return;
    await deleteMeta(this.#options.database.query, prefix + this.#id, this.#value);
    this.#value = null;
  }
}

/** Reads the registry again if a server ended before all events were in the index. Returns whether one did. */
export async function readAbandoned(service: Service): Promise<boolean> {
  const { database, clock } = service;
  const marks = (await listMeta(database.query, prefix)).filter((value) => {
    const [, writtenAt] = value.split(' ');
    return clock.now() - Number(writtenAt) > abandonedMs;
  });
  if (marks.length === 0) return false;
  await syncRegistry(service);
  for (const value of marks) await deleteMeta(database.query, prefix + String(value.split(' ')[0]), value);
  return true;
}
