import type { Database } from './database.ts';
import type { CountedTable } from './postgres/table-changes.ts';

interface Kept<T> {
  /** Of everything that is kept: when it changes, all of it is dropped. */
  stamp: number;
  values: Map<string, T>;
  size: number;
}

interface Bounds<T> {
  max: number;
  /** Sum of the sizes of all values, and of one. Default: only their number is limited. */
  maxSize?: number;
  sizeOf?: (value: T & {}) => number;
}

/** What was read of some tables, for as long as none of them changes, by whichever server. */
export class Remembered<T> {
  readonly #tables: readonly CountedTable[];
  readonly #bounds: Bounds<T>;
  readonly #kept = new WeakMap<Database, Kept<T>>();

  constructor(tables: readonly CountedTable[], bounds: Bounds<T>) {
    this.#tables = tables;
    this.#bounds = bounds;
  }

  /** What is known without a read, if anything is. */
  known(database: Database, key: string): T | undefined {
    const stamp = database.stamp(this.#tables);
    return stamp === null ? undefined : this.#at(database, stamp).values.get(key);
  }

  /** Callers share the value: they must not change it. What is not found is not kept: anybody can ask for it. */
  async read(database: Database, key: string, load: () => Promise<T>): Promise<T> {
    const stamp = database.stamp(this.#tables) ?? (await database.askStamp(this.#tables));
    const found = this.#at(database, stamp).values.get(key);
    if (found !== undefined) return found;
    const value = await load();
    // Where it is not asked again, a value that is newer than its stamp does no harm: nobody gets that stamp any more.
    const isCurrent = (database.stamp(this.#tables) ?? stamp) === stamp;
    if (value !== undefined && isCurrent) this.#keep(this.#at(database, stamp), key, value as T & {});
    return value;
  }

  #at(database: Database, stamp: number): Kept<T> {
    const kept = this.#kept.get(database);
    if (kept?.stamp === stamp) return kept;
    const fresh = { stamp, values: new Map<string, T>(), size: 0 };
    this.#kept.set(database, fresh);
    return fresh;
  }

  #keep(kept: Kept<T>, key: string, value: T & {}): void {
    const { max, maxSize = Infinity, sizeOf = () => 0 } = this.#bounds;
    const size = sizeOf(value);
    if (size > maxSize) return;
    if (kept.values.size >= max || kept.size + size > maxSize) {
      kept.values.clear();
      kept.size = 0;
    }
    kept.values.set(key, value);
    kept.size += size;
  }
}
