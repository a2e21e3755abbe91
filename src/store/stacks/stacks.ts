import type { Selectable } from 'kysely';
import type { StackStatus } from '../../model/status.ts';
import type { StackView } from '../../vendors/vendor.ts';
import type { Query } from '../database/database.ts';
import { parseColumn } from '../database/json-column.ts';
import type { StackTable } from '../database/tables.ts';

/** What the vendor showed last. Its events are stored as events of the stack. */
export type StoredView = Omit<StackView, 'events'>;

export interface StackRow extends Omit<Selectable<StackTable>, 'view'> {
  view: StoredView;
}

export const stackFrom = (row: Selectable<StackTable>): StackRow => ({
  ...row,
  view: parseColumn<StoredView>(row.view, `stacks.view of ${row.id}`),
});

export const viewText = (view: StoredView): string => JSON.stringify(view);

/** How every stack begins: asked for now, due now, nothing known. */
export const beginningOf = (now: number) =>
  ({
    operation: 'CREATE',
    delete_requests: 0,
    hook_heartbeat: null,
    status: 'CREATE_IN_PROGRESS',
    status_reason: '',
    settled_version: null,
    tried_wish: '',
    refused_wish: '',
    refused_reason: '',
    created_at: now,
    updated_at: now,
    deleted_at: null,
    event_count: 0,
    next_at: now,
    lease_until: 0,
    lease_owner: '',
    epoch: 0,
    wakes: 0,
    troubles: 0,
  }) as const;

export const insertStack = async (query: Query, row: StackRow): Promise<void> => {
  await query
    .insertInto('stacks')
    .values({ ...row, view: viewText(row.view) })
    .execute();
};

/** Only the account's own: whoever asks for another's stack finds nothing. */
export async function findStack(query: Query, accountId: string, id: string): Promise<StackRow | undefined> {
  const row = await query
    .selectFrom('stacks')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row && stackFrom(row);
}

/** For the stack's own agent, which proves itself with the stack's token, not with an account. */
export async function findStackById(query: Query, id: string): Promise<StackRow | undefined> {
  const row = await query.selectFrom('stacks').selectAll().where('id', '=', id).executeTakeFirst();
  return row && stackFrom(row);
}

export interface StackFilter {
  language: 'v2' | 'v3';
  status?: StackStatus | undefined;
  vendor?: string | undefined;
  nickname?: string | undefined;
  /** Continue after this one (the last of the page before). */
  after?: { createdAt: number; id: string } | undefined;
  limit?: number | undefined;
}

/** Newest first; what is deleted is not listed. */
export async function listStacks(query: Query, accountId: string, filter: StackFilter): Promise<StackRow[]> {
  const { status, vendor, nickname, after, limit } = filter;
  const rows = await query
    .selectFrom('stacks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('language', '=', filter.language)
    .where('deleted_at', 'is', null)
    .$if(status !== undefined, (q) => q.where('status', '=', status as StackStatus))
    .$if(vendor !== undefined, (q) => q.where('vendor', '=', vendor as string))
    .$if(nickname !== undefined, (q) => q.where('nickname', '=', nickname as string))
    .$if(after !== undefined, (q) =>
      q.where((where) =>
        where.or([
          where('created_at', '<', after?.createdAt ?? 0),
          where.and([where('created_at', '=', after?.createdAt ?? 0), where('id', '<', after?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (q) => q.limit(limit as number))
    .execute();
  return rows.map(stackFrom);
}

/** How many stacks there are in each status, over all accounts: for the metrics. */
export const countStacksByStatus = (query: Query): Promise<{ status: StackStatus; count: number }[]> =>
  query
    .selectFrom('stacks')
    .select((select) => ['status', select.fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .groupBy('status')
    .execute();

/** A newer wish replaces the older one; whoever is working on the stack sees at the end that it was woken. */
export async function desireVersion(query: Query, id: string, version: string, now: number): Promise<void> {
  await query
    .updateTable('stacks')
    .set((set) => ({
      operation: 'UPDATE',
      desired_version: version,
      status: 'UPDATE_IN_PROGRESS',
      status_reason: '',
      updated_at: now,
      next_at: now,
      wakes: set('wakes', '+', 1),
      troubles: 0,
    }))
    .where('id', '=', id)
    .execute();
}

/** Asked again, it is tried again: that is how a failed delete is retried. */
export async function desireDeletion(query: Query, id: string, now: number): Promise<void> {
  await query
    .updateTable('stacks')
    .set((set) => ({
      operation: 'DELETE',
      delete_requests: set('delete_requests', '+', 1),
      status: 'DELETE_IN_PROGRESS',
      status_reason: '',
      updated_at: now,
      next_at: now,
      wakes: set('wakes', '+', 1),
      troubles: 0,
    }))
    .where('id', '=', id)
    .execute();
}

/**
 * Wishes again for a version that was wished for before. A refusal of it back then says nothing about now, so it is
 * forgotten: otherwise the vendor would not even be asked.
 */
export async function desireVersionAgain(
  query: Query,
  id: string,
  version: string,
  now: number,
): Promise<void> {
  await desireVersion(query, id, version, now);
  await query
    .updateTable('stacks')
    .set({ refused_wish: '', refused_reason: '' })
    .where('id', '=', id)
    .execute();
}

export const noteHookHeartbeat = async (query: Query, id: string, seconds: number): Promise<void> => {
  await query.updateTable('stacks').set({ hook_heartbeat: seconds }).where('id', '=', id).execute();
};
