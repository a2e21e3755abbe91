import { randomUUID } from 'node:crypto';
import { listAccountIds } from '../../store/access/audit.ts';
import type { Query } from '../../store/database/database.ts';
import { inParts } from '../../store/database/in-parts.ts';
import { deleteMeta, listMeta, writeMeta } from '../../store/database/meta.ts';
import { gapEntry } from './gap.ts';
import { type Store, writeEntries } from './write-entries.ts';

const prefix = 'audit open ';
const beatMs = 20_000;
/** A server that gave no sign for so long has ended. */
const staleMs = 90_000;

interface Mark {
  id: string;
  at: number;
}

/**
 * Reads are stored a moment after they are answered, so a server that is killed loses some. While a server runs, a mark of it is in the
 * database. One that is left over shows that its server was killed: each account then gets an entry that says so.
 */
export class OpenMark {
  readonly #store: Store;
  readonly #failed: (error: unknown) => void;
  readonly #id = randomUUID();
  #mark: Mark | null = null;
  #cancel = () => {};
  #isStopped = false;
  #beating: Promise<void> = Promise.resolve();

  constructor(store: Store, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  /** Before the first call is answered. */
  async start(): Promise<void> {
    this.#beating = this.#beat().catch(this.#failed);
    await this.#beating;
    const isEnough = this.#store.database.engine === 'sqlite' && this.#mark;
    if (!this.#isStopped && !isEnough)
      this.#cancel = this.#store.clock.after(beatMs, () => void this.start());
  }

  /** Only if all entries are stored: otherwise the mark stays, as after a kill. */
  async stop(isComplete: boolean): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#beating;
    const mark = this.#mark;
    if (isComplete && mark) await this.#delete(this.#store.database.query, mark).catch(this.#failed);
  }

  async #beat(): Promise<void> {
    const { database, clock } = this.#store;
    const marks = (await listMeta(database.query, prefix)).map((text) => JSON.parse(text) as Mark);
    for (const mark of marks) if (this.#isLeftOver(mark)) await this.#report(mark);
    const mark = { id: this.#id, at: clock.now() };
    await writeMeta(database.query, prefix + mark.id, JSON.stringify(mark));
    this.#mark = mark;
  }

  /** An SQLite file has one server. */
  #isLeftOver({ id, at }: Mark): boolean {
    const { database, clock } = this.#store;
    return id !== this.#id && (database.engine === 'sqlite' || at < clock.now() - staleMs);
  }

  /** Two servers may both do so: an entry too many does no harm. */
  async #report(mark: Mark): Promise<void> {
    const { database, clock } = this.#store;
    const now = clock.now();
    const [from, to] = [mark.at, now].map((at) => new Date(at).toISOString());
    const detail = `A server ended without a stop between ${from} and ${to}. Reads that it had not stored yet, normally those of its last second, are missing.`;
    for (const ids of inParts(await listAccountIds(database.query)))
      await writeEntries(
        this.#store,
        ids.map((id) => gapEntry(id, now, detail)),
      );
    await this.#delete(database.query, mark);
  }

  #delete(query: Query, mark: Mark): Promise<void> {
    return deleteMeta(query, prefix + mark.id, JSON.stringify(mark));
  }
}
