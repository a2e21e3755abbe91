import { expect } from 'vitest';
import { isInProgress } from '../../../src/model/status.ts';
import { releasesOfStack } from '../../../src/store/data/releases.ts';
import { storesOfStack } from '../../../src/store/data/stores.ts';
import type { World } from '../../world.ts';
import { readTruth, type TrueStore, type Truth } from './truth.ts';

/** Compares what Almanac does and says with what the simulated cloud really has. */
export class Checker {
  readonly #world: World;
  readonly #stackId: string;
  readonly #known = new Map<string, TrueStore>();
  readonly #ended = new Set<string>();

  constructor(world: World, stackId: string) {
    this.#world = world;
    this.#stackId = stackId;
  }

  contentOf(storeId: string): string | undefined {
    return this.#known.get(storeId)?.content;
  }

  /** No store that was in use disappears without a release that names it, and what was to be kept is kept. */
  async check(): Promise<Truth> {
    const truth = await readTruth(this.#world, this.#stackId);
    const present = new Set(truth.stores.map(({ id }) => id));
    // What was never ready before its deletion began held no data.
    for (const store of truth.stores)
      if (!store.isGoing || this.#known.has(store.id)) this.#known.set(store.id, store);
    const gone = [...this.#known.values()].filter(({ id }) => !present.has(id) && !this.#ended.has(id));
    for (const store of gone) await this.#checkEnd(store, truth);
    return truth;
  }

  async #checkEnd(store: TrueStore, truth: Truth): Promise<void> {
    const { query } = this.#world.database;
    this.#ended.add(store.id);
    const isKept = [...truth.snapshots.values()].includes(store.content);
    if (truth.undone.has(store.id)) {
      expect(isKept || store.kind === 'disk', `${store.kind} ${store.id} was undone and not kept`).toBe(true);
      return;
    }
    const row = (await storesOfStack(query, this.#stackId)).find((each) => each.store_id === store.id);
    const releases = (await releasesOfStack(query, this.#stackId)).filter((each) => each.store === row?.id);
    expect(releases.length, `no release names ${store.kind} ${store.id} (${store.resource})`).toBeGreaterThan(
      0,
    );
    const mayDelete = releases.some(({ choice }) => choice === 'delete');
    expect(mayDelete || isKept, `${store.kind} ${store.id} was to be kept, and is not`).toBe(true);
  }

  /** When nothing is in progress, the ledger is what the cloud has, and everything kept is there with its content. */
  async checkSettled(): Promise<void> {
    const { status } = await this.#world.row(this.#stackId);
    const truth = await this.check();
    if (isInProgress(status)) return;
    const rows = await storesOfStack(this.#world.database.query, this.#stackId);
    const inUse = rows.filter(({ state }) => state === 'in_use').map(({ store_id: id }) => id);
    expect(inUse.toSorted(), `ledger in ${status}`).toEqual(truth.stores.map(({ id }) => id).toSorted());
    for (const { reference, store_id: id } of rows.filter(({ state }) => state === 'kept')) {
      const content = truth.snapshots.get(reference ?? '');
      expect(content, `kept of ${id}`).toBeDefined();
      // A store may come and go between two looks of this test.
      expect(content).toBe(this.contentOf(id) ?? content);
    }
    expect(rows.filter(({ state }) => state === 'lost')).toEqual([]);
  }
}
