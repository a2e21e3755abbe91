import { expect } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import type { DataChoice } from '../../../src/model/data-choice.ts';
import type { StackModel } from '../../../src/model/stack-model.ts';
import type { CancelAnswer, KeptStore, ObservedStore, Release } from '../../../src/vendors/data.ts';
import type {
  Answer,
  Observation,
  StackOnVendor,
  StackView,
  VendorDocument,
} from '../../../src/vendors/vendor.ts';
import { abilitiesOf } from './abilities.ts';
import { modelWith } from './models.ts';
import { type DataWorld, kindOf, type Part, parts } from './world.ts';

const secrets = {
  agentToken: new Secret('the-token-of-the-agents'),
  databasePassword: new Secret('the-password-of-the-database'),
};

const maxPasses = 8;
const maxMoments = 20;

const viewOf = (observation: Observation): StackView => {
  if (observation.kind === 'unreachable') throw new Error(observation.reason);
  return observation.view;
};

const hasLeftovers = (seen: Partial<Observation>): boolean =>
  'leftovers' in seen && seen.leftovers !== undefined && seen.leftovers;

const isMatch = (seen: Partial<Observation>, end: Partial<Observation>): boolean =>
  !hasLeftovers(seen) &&
  Object.entries(end).every(([key, value]) =>
    Object.entries(seen).some(([k, v]) => k === key && v === value),
  );

const idsOf = (stores: readonly { id: string }[]): string[] => stores.map(({ id }) => id).toSorted();

/** One choice for all stores, or one for each part. */
export type Choices = DataChoice | Partial<Record<Part, DataChoice>>;

export interface Update {
  version: string;
  document: VendorDocument;
  releases: readonly Release[];
}

/** The life of one stack: what the core does with a vendor, and what is really there. After each step it checks what is always true. */
export class Life {
  readonly world: DataWorld;
  readonly stack: StackOnVendor;
  readonly can: ReturnType<typeof abilitiesOf>;
  /** The document that the stack reached last, and those that were tried since. */
  #documents: VendorDocument[] = [];
  /** The stores that updates which were tried since may have removed. */
  #released = new Set<string>();

  constructor(world: DataWorld, stack = world.newStack()) {
    this.world = world;
    this.stack = stack;
    this.can = abilitiesOf(world);
  }

  get document(): VendorDocument | undefined {
    return this.#documents[0];
  }

  /** Another stack of the same account. */
  another = (): Life => new Life(this.world);
  data = (part: Part): Promise<string | undefined> => this.world.dataIn(this.stack, part);
  observe = (): Promise<Observation> => this.world.connect().observe(this.stack);
  stores = async (): Promise<readonly ObservedStore[]> => viewOf(await this.observe()).stores ?? [];
  listKept = async (): Promise<readonly KeptStore[]> =>
    (await this.world.connect().listKept?.(this.stack)) ?? [];

  offer = async (model: StackModel) => this.world.document(this.stack, model, this.document ?? null);

  async compiled(model: StackModel): Promise<VendorDocument> {
    const outcome = await this.offer(model);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
    return outcome.value;
  }

  /** The resource of a part: what a stack with only this part has beyond a stack without any. */
  async resourceOf(part: Part): Promise<string> {
    const { vendor } = this.world;
    const empty = vendor.storesOf(await this.compiled(modelWith([])));
    const others = new Set(empty.map(({ resource }) => resource));
    const found = vendor
      .storesOf(await this.compiled(modelWith([part])))
      .filter(({ resource, kind }) => kind === kindOf(part) && !others.has(resource));
    expect(found).toHaveLength(1);
    return found[0]?.resource ?? '';
  }

  async storeOf(part: Part): Promise<ObservedStore | undefined> {
    const resource = await this.resourceOf(part);
    return (await this.stores()).find((store) => store.resource === resource && store.kind === kindOf(part));
  }

  /** Of the stores that exist: those that the vendor says the update, or the deletion, removes or replaces by empty ones. */
  async ending(after: VendorDocument | null): Promise<ObservedStore[]> {
    const { vendor } = this.world;
    const declared = new Set((after ? vendor.storesOf(after) : []).map(({ resource }) => resource));
    const replaced = new Set<string>();
    for (const before of after ? this.#documents : [])
      for (const resource of await vendor.replacedStores({ before, after: after ?? {} }))
        replaced.add(resource);
    return (await this.stores()).filter(({ resource }) => !declared.has(resource) || replaced.has(resource));
  }

  /** A caller's word about each store that an update, or a deletion, removes or replaces. */
  async releases(after: VendorDocument | null, choices: Choices): Promise<Release[]> {
    const chosen =
      typeof choices === 'string' ? new Map<string, DataChoice>() : await this.byResource(choices);
    const rest = typeof choices === 'string' ? choices : 'delete';
    return (await this.ending(after)).map(({ id, resource, kind }) => {
      const choice = kind === 'disk' ? 'delete' : (chosen.get(resource) ?? rest);
      return { storeId: id, resource, kind, choice };
    });
  }

  private async byResource(choices: Partial<Record<Part, DataChoice>>): Promise<Map<string, DataChoice>> {
    const found = new Map<string, DataChoice>();
    for (const part of parts) {
      const choice = choices[part];
      if (choice) found.set(await this.resourceOf(part), choice);
    }
    return found;
  }

  apply({ document, version, releases }: Update): Promise<Answer> {
    this.#documents.push(document);
    for (const { storeId } of releases) this.#released.add(storeId);
    return this.world.connect().apply(this.stack, { document, version, releases, ...secrets });
  }

  /** Applies until the update runs: a vendor may first make what it keeps. */
  async begin(update: Update): Promise<void> {
    let answer = await this.apply(update);
    for (let pass = 1; pass < maxPasses && answer.accepted && answer.begun === false; pass += 1) {
      await this.world.passAll();
      answer = await this.apply(update);
    }
    expect(answer).toMatchObject({ accepted: true });
    expect(answer).not.toHaveProperty('begun');
  }

  async cancel(version: string): Promise<CancelAnswer> {
    const answer = await this.world.connect().cancelUpdate(this.stack, version);
    if (answer.cancelled) this.#released.clear();
    return answer;
  }

  remove = (releases: readonly Release[]): Promise<Answer> =>
    this.world.connect().remove(this.stack, { releases, intent: 'delete 1' });

  /** Lets the vendor begin to make a store, which takes some time on its way to it. */
  async untilSeen(part: Part): Promise<void> {
    const moments = this.can.showsUnfinished ? maxMoments : 1;
    for (let moment = 0; moment < moments; moment += 1) {
      await this.world.passMoment();
      if ((await this.storeOf(part)) || (await this.observe()).kind !== 'busy') return;
    }
  }

  /** Repeats a step as the reconciler does, because a vendor may need several, until the end or a refusal. */
  private async until(end: Partial<Observation>, step: () => Promise<Answer>): Promise<Answer> {
    let seen: Partial<Observation> = {};
    for (let pass = 0; pass < maxPasses && !isMatch(seen, end); pass += 1) {
      const answer = await step();
      if (!answer.accepted) return answer;
      await this.world.passAll();
      seen = await this.observe();
    }
    expect(seen).toMatchObject(end);
    return { accepted: true };
  }

  /**
   * Applies until the stack has the version. Exactly those stores end that the vendor named before; if it refuses, none. After an
   * update that did not end, those that it was allowed to remove may be gone too.
   */
  async update(update: Update): Promise<Answer> {
    const before = await this.stores();
    const ending = await this.ending(update.document);
    const isCertain = this.#documents.length < 2;
    const named = [...idsOf(ending), ...this.#released];
    const answer = await this.until({ kind: 'settled', version: update.version }, () => this.apply(update));
    if (!answer.accepted) {
      await this.world.passAll();
      expect(await this.stores()).toEqual(before);
      return answer;
    }
    this.#documents = [update.document];
    this.#released.clear();
    const present = new Set((await this.stores()).map(({ id }) => id));
    const ended = before.filter(({ id }) => !present.has(id));
    expect(named).toEqual(expect.arrayContaining(idsOf(ended)));
    if (isCertain) expect(idsOf(ended)).toEqual(idsOf(ending));
    await this.check();
    return answer;
  }

  /** An update that must succeed, with the given choice for whatever it removes. */
  async settle(version: string, model: StackModel, choices: Choices = 'delete'): Promise<void> {
    const document = await this.compiled(model);
    const releases = await this.releases(document, choices);
    expect(await this.update({ version, document, releases })).toEqual({ accepted: true });
  }

  /** Deletes the stack. If the vendor refuses, no store is gone. */
  async removed(releases: readonly Release[] | (() => Promise<readonly Release[]>)): Promise<Answer> {
    const current = typeof releases === 'function' ? releases : async () => releases;
    const before = await this.stores();
    const answer = await this.until({ kind: 'absent' }, async () => this.remove(await current()));
    if (answer.accepted) this.#documents = [];
    else expect(await this.stores()).toEqual(before);
    await this.check();
    return answer;
  }

  /** While nothing is in progress, the vendor reports exactly what exists and what is kept. */
  async check(): Promise<void> {
    const { vendor, storeIds, keptData } = this.world;
    const stores = await this.stores();
    expect(idsOf(stores)).toEqual((await storeIds(this.stack)).toSorted());
    const declared = this.document ? vendor.storesOf(this.document) : [];
    expect(new Set(stores.map(({ resource }) => resource))).toEqual(
      new Set(declared.map(({ resource }) => resource)),
    );
    expect(stores.filter(({ usable }) => !usable)).toEqual([]);
    const kept = (await this.listKept()).map(({ reference }) => reference);
    expect(kept.toSorted()).toEqual((await keptData(this.stack)).toSorted());
  }
}
