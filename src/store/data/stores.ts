import type { Selectable } from 'kysely';
import type { StoreKind } from '../../model/data-choice.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { DataStoreTable, StoreState } from '../database/data-tables.ts';
import type { Query } from '../database/database.ts';

export type StoreRow = Selectable<DataStoreTable>;

const ofStack = prebuilt((query, { stackId }: { stackId: string }) =>
  query.selectFrom('data_stores').selectAll().where('stack_id', '=', stackId).orderBy('since').orderBy('id'),
);

/** All stores that a stack ever had, the oldest first. */
export const storesOfStack = (query: Query, stackId: string): Promise<StoreRow[]> =>
  ofStack.all(query, { stackId });

const existing = prebuilt((query, { stackId }: { stackId: string }) =>
  query
    .selectFrom('data_stores')
    .selectAll()
    .where('stack_id', '=', stackId)
    .where('state', 'in', ['expected', 'in_use'])
    .orderBy('since')
    .orderBy('id'),
);

/** Those that exist at the vendor, as far as is known. */
export const existingStores = (query: Query, stackId: string): Promise<StoreRow[]> =>
  existing.all(query, { stackId });

export const insertStores = async (query: Query, rows: readonly StoreRow[]): Promise<void> => {
  if (rows.length > 0) await query.insertInto('data_stores').values(rows).execute();
};

export const updateStore = async (
  query: Query,
  id: string,
  values: Partial<Omit<StoreRow, 'id'>>,
): Promise<void> => {
  await query.updateTable('data_stores').set(values).where('id', '=', id).execute();
};

/** False: it is not kept any more, because it is in use again. */
export const updateKept = async (
  query: Query,
  id: string,
  values: Partial<Omit<StoreRow, 'id'>>,
): Promise<boolean> => {
  const result = await query
    .updateTable('data_stores')
    .set(values)
    .where('id', '=', id)
    .where('state', '=', 'kept')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

export const deleteStore = async (query: Query, id: string): Promise<void> => {
  await query.deleteFrom('data_stores').where('id', '=', id).execute();
};

export interface StoreFilter {
  stackId?: string | undefined;
  states?: readonly StoreState[] | undefined;
  kind?: StoreKind | undefined;
  /** Continue after this store, the last of the previous page. */
  after?: { since: number; id: string } | undefined;
  limit?: number | undefined;
}

/** The newest first. */
export const listStores = (query: Query, accountId: string, filter: StoreFilter): Promise<StoreRow[]> => {
  const { stackId, states, kind, after, limit } = filter;
  return query
    .selectFrom('data_stores')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(stackId !== undefined, (q) => q.where('stack_id', '=', stackId ?? ''))
    .$if(states !== undefined, (q) => q.where('state', 'in', [...(states ?? [])]))
    .$if(kind !== undefined, (q) => q.where('kind', '=', kind as StoreKind))
    .$if(after !== undefined, (q) =>
      q
        .where('since', '<=', after?.since ?? 0)
        .where((row) => row.or([row('since', '<', after?.since ?? 0), row('id', '<', after?.id ?? '')])),
    )
    .orderBy('since', 'desc')
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (q) => q.limit(limit as number))
    .execute();
};

/** Only of the account: a store of another account is not found. */
export const findStore = (query: Query, accountId: string, id: string): Promise<StoreRow | undefined> =>
  query
    .selectFrom('data_stores')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
