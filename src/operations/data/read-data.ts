import { notFound, type StoreToConfirm } from '../../basics/failure.ts';
import { fatesOfStack } from '../../data/at-vendor.ts';
import type { Fate } from '../../data/fates.ts';
import { protectedNames } from '../../data/protected.ts';
import { sentenceOf } from '../../data/sentences.ts';
import type { DataChoice, StoreKind } from '../../model/data-choice.ts';
import { type ReleaseRow, releasesOfStack } from '../../store/data/releases.ts';
import { findStore, listStores, type StoreRow, updateKept } from '../../store/data/stores.ts';
import type { StoreState } from '../../store/database/data-tables.ts';
import type { Query } from '../../store/database/database.ts';
import { findStackById, type StackRow } from '../../store/stacks/stacks.ts';
import { readDesiredModel } from '../../store/stacks/versions.ts';
import { stackOnVendor } from '../../vendors/vendor.ts';
import type { Actor } from '../access/access.ts';
import { mayList, maySee } from '../access/permission.ts';
import { askVendor } from '../ask-vendor.ts';
import { findExistingStack } from '../find-stack.ts';
import type { Service } from '../service.ts';
import { type DataWish, holdsData, isRelease, toConfirm, wishFor } from '../stacks/submit/guard-data.ts';
import { connectVendor, vendorOf } from '../stacks/submit/vendor-access.ts';

/** A store, and what else a reader wants to know of it. */
export interface DescribedStore {
  row: StoreRow;
  stack: StackRow;
  isProtected: boolean;
  /** Who released it for what ended it; empty: nobody. */
  releasedBy: string;
}

export interface DataFilter {
  stackId?: string | undefined;
  state?: StoreState | 'all' | undefined;
  kind?: StoreKind | undefined;
  after?: { createdAt: number; id: string } | undefined;
  limit?: number | undefined;
}

/** What a reader looks for: what exists, what is kept, and what was lost. */
const usualStates: readonly StoreState[] = ['expected', 'in_use', 'kept', 'lost'];

const statesOf = (state: DataFilter['state']): readonly StoreState[] | undefined => {
  if (state === 'all') return undefined;
  return state === undefined ? usualStates : [state];
};

/** Reads each stack once. */
class Stacks {
  readonly #query: Query;
  readonly #rows = new Map<string, Promise<StackRow | undefined>>();
  readonly #protected = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #releases = new Map<string, Promise<ReleaseRow[]>>();

  constructor(query: Query) {
    this.#query = query;
  }

  find(id: string): Promise<StackRow | undefined> {
    const row = this.#rows.get(id) ?? findStackById(this.#query, id);
    this.#rows.set(id, row);
    return row;
  }

  protectedIn(stack: StackRow): Promise<ReadonlySet<string>> {
    const names = this.#protected.get(stack.id) ?? this.#readProtected(stack);
    this.#protected.set(stack.id, names);
    return names;
  }

  releasesIn({ id }: StackRow): Promise<ReleaseRow[]> {
    const releases = this.#releases.get(id) ?? releasesOfStack(this.#query, id);
    this.#releases.set(id, releases);
    return releases;
  }

  async #readProtected(stack: StackRow): Promise<ReadonlySet<string>> {
    return protectedNames([(await readDesiredModel(this.#query, stack)).model]);
  }
}

async function describe(
  stacks: Stacks,
  { row, stack }: Pick<DescribedStore, 'row' | 'stack'>,
): Promise<DescribedStore> {
  const isLiving = row.kind === 'database' && row.state === 'in_use';
  const release =
    row.ended_at === null
      ? undefined
      : (await stacks.releasesIn(stack)).find(
          ({ store, intent }) => store === row.id && intent === row.ended_by,
        );
  return {
    row,
    stack,
    isProtected: isLiving && (await stacks.protectedIn(stack)).has(row.name),
    releasedBy: release?.released_by ?? '',
  };
}

/** The stores of all stacks that the caller may see, the newest first. Continues until the page is full. */
export async function listData(
  { database: { query } }: Service,
  actor: Actor,
  { stackId, state, kind, after, limit }: DataFilter,
): Promise<DescribedStore[]> {
  const stacks = new Stacks(query);
  const found: DescribedStore[] = [];
  let position = after && { since: after.createdAt, id: after.id };
  for (;;) {
    const filter = { stackId, states: statesOf(state), kind, after: position, limit };
    const rows = await listStores(query, actor.accountId, filter);
    for (const row of rows) {
      const stack = await stacks.find(row.stack_id);
      if (stack && mayList(actor, stack)) found.push(await describe(stacks, { row, stack }));
    }
    const last = rows.at(-1);
    if (limit === undefined || rows.length < limit || found.length >= limit || !last)
      return found.slice(0, limit);
    position = { since: last.since, id: last.id };
  }
}

/** Throws `not_found` also for a store of a stack that the caller may not see. */
export async function findData(
  { database: { query } }: Service,
  actor: Actor,
  id: string,
): Promise<DescribedStore> {
  const row = await findStore(query, actor.accountId, id);
  const stack = row && (await findStackById(query, row.stack_id));
  if (!row || !stack) throw notFound('Data', id);
  if (!maySee(actor, stack)) throw notFound('Data', id, { denied: true });
  return describe(new Stacks(query), { row, stack });
}

/** Asks the vendor again for what it keeps, if it has not shown it yet. */
export async function findKeptData(service: Service, actor: Actor, id: string): Promise<DescribedStore> {
  const found = await findData(service, actor, id);
  const { row, stack } = found;
  if (row.state !== 'kept' || row.reference !== null) return found;
  const driver = await connectVendor(service, stack);
  const kept =
    (await askVendor(service, stack.account_id, async () => driver.listKept?.(stackOnVendor(stack)))) ?? [];
  const shown = kept.find(({ storeId }) => storeId === row.store_id);
  if (!shown) return found;
  const { reference, where, since, until } = shown;
  const values = { reference, kept_where: where, kept_since: since, kept_until: until };
  await updateKept(service.database.query, row.id, values);
  return { ...found, row: { ...row, ...values } };
}

/** A word that cannot be kept says nothing. */
const wordFor = (fate: Fate, data: DataWish | undefined): DataChoice | undefined => {
  const wish = wishFor(fate, { data });
  return isRelease(fate, wish) ? wish : undefined;
};

/** What becomes of the data of a stack if it is deleted with this word about it. Changes nothing. */
export async function previewDeletion(
  service: Service,
  actor: Actor,
  { stackId, data }: { stackId: string; data: DataWish | undefined },
): Promise<StoreToConfirm[]> {
  const { query } = service.database;
  const stack = await findExistingStack(query, actor.accountId, { stackId });
  const vendor = await vendorOf(service, stack);
  const fates = await fatesOfStack(query, { stack, vendor, after: null });
  return fates
    .filter(holdsData)
    .map((fate) => ({ ...toConfirm(fate), sentence: sentenceOf(fate, wordFor(fate, data)) }));
}
