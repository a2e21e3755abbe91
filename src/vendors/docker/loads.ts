import { historyMs, type Load } from './plan/scaling.ts';

const maxCached = 10_000;

interface Use {
  at: number;
  cpuTime: number;
}

/** The CPU use of the groups of an engine, as far as it was seen. A restart of Almanac forgets it. */
export class Loads {
  readonly #loads = new Map<string, Load[]>();
  readonly #uses = new Map<string, Use>();

  of(stackId: string, flag: string): readonly Load[] {
    return this.#loads.get(`${stackId} ${flag}`) ?? [];
  }

  add(stackId: string, flag: string, load: Load): void {
    if (this.#loads.size >= maxCached) this.#loads.clear();
    const recent = this.of(stackId, flag).filter(({ at }) => at > load.at - historyMs);
    this.#loads.set(`${stackId} ${flag}`, [...recent, load]);
  }

  /** The use of a container since it was last seen, in percent of one processor; undefined: it is new. */
  percentSince(container: string, now: Use): number | undefined {
    if (this.#uses.size >= maxCached) this.#uses.clear();
    const before = this.#uses.get(container);
    this.#uses.set(container, now);
    if (!before || now.at <= before.at || now.cpuTime < before.cpuTime) return undefined;
    return (now.cpuTime - before.cpuTime) / ((now.at - before.at) * 1e4);
  }
}
