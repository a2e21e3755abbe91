import type { Selectable } from 'kysely';
import type { DataChoice } from '../../model/data-choice.ts';
import type { StackStatus } from '../../model/status.ts';
import type { StackView } from '../../vendors/vendor.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import { RowInserter } from '../database/built/row-inserter.ts';
import type { Query } from '../database/database.ts';
import { JsonColumn } from '../database/json-column.ts';
import type { StackTable } from '../database/tables.ts';

/** The last observed view. Its events are stored as events of the stack. */
type StoredView = Omit<StackView, 'events'>;

export interface StackRow extends Omit<Selectable<StackTable>, 'view'> {
  view: StoredView;
}

export const viewColumn = new JsonColumn<StoredView>('stacks.view');

const stackFrom = (row: Selectable<StackTable>): StackRow => ({
  ...row,
  view: viewColumn.parse(row.view, row.id),
});

/** Parses the view when it is read: a claimed stack with a damaged view fails in its pass, which reports and postpones it. */
export const lazyStackFrom = (row: Selectable<StackTable>): StackRow => ({
  ...row,
  get view() {
    return viewColumn.parse(row.view, row.id);
  },
});

/** The state every stack starts in: requested now, due now, nothing known. */
export const initialState = (now: number) =>
  ({
    operation: 'CREATE',
    delete_requests: 0,
    data_choice: 'keep',
    data_note: '',
    replaces_servers: 0,
    cancelled_version: null,
    cancelled_data: '',
    requested_by: '',
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
    events_kept_from: null,
    changed_at: now,
    running: 0,
    health: 'unknown',
    health_reason: '',
    undoing: '',
    undoing_progress: '',
    drift_state: null,
    drift_checked_at: null,
    next_at: now,
    lease_until: 0,
    lease_owner: '',
    epoch: 0,
    wakes: 0,
    troubles: 0,
    swept: null,
  }) as const;

let inserter: RowInserter<'stacks'> | undefined;

/** Every row has all columns. */
export const insertStack = (query: Query, row: StackRow): Promise<void> => {
  inserter ??= new RowInserter('stacks', Object.keys(row) as (keyof StackRow)[]);
  return inserter.insert(query, [{ ...row, view: viewColumn.format(row.view) }]);
};

const ofAccount = prebuilt((query, { accountId, id }: { accountId: string; id: string }) =>
  query.selectFrom('stacks').selectAll().where('id', '=', id).where('account_id', '=', accountId),
);

/** Only stacks of the account: a stack of another account is not found. */
export async function findStack(query: Query, accountId: string, id: string): Promise<StackRow | undefined> {
  const row = await ofAccount.first(query, { accountId, id });
  return row && stackFrom(row);
}

const byId = prebuilt((query, { id }: { id: string }) =>
  query.selectFrom('stacks').selectAll().where('id', '=', id),
);

/** For the agents of a stack, which authenticate with the token of the stack, not with an account. */
export async function findStackById(query: Query, id: string): Promise<StackRow | undefined> {
  const row = await byId.first(query, { id });
  return row && stackFrom(row);
}

export interface StackFilter {
  /** Of both versions when absent. */
  language?: 'v2' | 'v3' | undefined;
  status?: StackStatus | undefined;
  vendor?: string | undefined;
  nickname?: string | undefined;
  /** Continue after this stack, the last of the previous page. */
  after?: { createdAt: number; id: string } | undefined;
  limit?: number | undefined;
}

/** Newest first, without deleted stacks. */
export const matchingStacks = (query: Query, accountId: string, filter: StackFilter) => {
  const { language, status, vendor, nickname, after, limit } = filter;
  return query
    .selectFrom('stacks')
    .where('account_id', '=', accountId)
    .$if(language !== undefined, (q) => q.where('language', '=', language as 'v2' | 'v3'))
    .where('deleted_at', 'is', null)
    .$if(status !== undefined, (q) => q.where('status', '=', status as StackStatus))
    .$if(vendor !== undefined, (q) => q.where('vendor', '=', vendor as string))
    .$if(nickname !== undefined, (q) => q.where('nickname', '=', nickname as string))
    .$if(after !== undefined, (q) =>
      // Also alone, so that an index begins there: with `or`, every page would read all pages before it.
      q
        .where('created_at', '<=', after?.createdAt ?? 0)
        .where((where) =>
          where.or([
            where('created_at', '<', after?.createdAt ?? 0),
            where.and([where('created_at', '=', after?.createdAt ?? 0), where('id', '<', after?.id ?? '')]),
          ]),
        ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (q) => q.limit(limit as number));
};

export async function listStacks(query: Query, accountId: string, filter: StackFilter): Promise<StackRow[]> {
  const rows = await matchingStacks(query, accountId, filter).selectAll().execute();
  return rows.map(stackFrom);
}

/** Number of stacks per status, over all accounts: for the metrics. */
export const countStacksByStatus = (query: Query): Promise<{ status: StackStatus; count: number }[]> =>
  query
    .selectFrom('stacks')
    .select((select) => ['status', select.fn.countAll<number>().as('count')])
    .where('deleted_at', 'is', null)
    .groupBy('status')
    .execute();

interface Requested {
  now: number;
  /** Who asks for it. */
  by: string;
  /** Servers may go with what is only on their disks. */
  replacesServers?: boolean;
}

/** Makes the stack due now for a new request. A pass in progress sees at its end that the stack was woken. */
const request = (
  query: Query,
  id: string,
  { now, reason, by, replacesServers = false }: Requested & { reason: string },
) =>
  query
    .updateTable('stacks')
    .set((set) => ({
      status_reason: reason,
      requested_by: by,
      replaces_servers: replacesServers ? 1 : 0,
      updated_at: now,
      changed_at: now,
      next_at: now,
      wakes: set('wakes', '+', 1),
      troubles: 0,
    }))
    .where('id', '=', id);

interface DesiredVersion extends Requested {
  version: string;
}

/** A newer request replaces the older one. */
export async function desireVersion(
  query: Query,
  id: string,
  { version, ...requested }: DesiredVersion,
): Promise<void> {
  await request(query, id, { ...requested, reason: '' })
    .set({
      operation: 'UPDATE',
      desired_version: version,
      status: 'UPDATE_IN_PROGRESS',
      cancelled_version: null,
      cancelled_data: '',
      // What was found is about the version before.
      drift_state: null,
      drift_checked_at: null,
    })
    .execute();
}

interface DesiredDeletion extends Requested {
  choice: DataChoice;
  /** Says what happens to the data. */
  note: string;
}

/** A repeated request is tried again: that is how a failed deletion is retried. */
export async function desireDeletion(
  query: Query,
  id: string,
  { choice, note, ...requested }: DesiredDeletion,
): Promise<void> {
  await request(query, id, { ...requested, reason: note })
    .set((set) => ({
      data_choice: choice,
      data_note: note,
      operation: 'DELETE',
      delete_requests: set('delete_requests', '+', 1),
      status: 'DELETE_IN_PROGRESS',
    }))
    .execute();
}

interface DesiredAgain extends DesiredVersion {
  /** The version whose update is cancelled, and the data that it would have removed. */
  cancelled: { version: string; losses: string };
}

/**
 * Desires a version that was desired before. An earlier refusal of it is deleted: otherwise the vendor would not be asked
 * again.
 */
export async function desireVersionAgain(query: Query, id: string, desired: DesiredAgain): Promise<void> {
  await desireVersion(query, id, desired);
  const { version, losses } = desired.cancelled;
  await query
    .updateTable('stacks')
    .set({ refused_wish: '', refused_reason: '', cancelled_version: version, cancelled_data: losses })
    .where('id', '=', id)
    .execute();
}

export const saveHookHeartbeat = async (query: Query, id: string, seconds: number): Promise<void> => {
  await query.updateTable('stacks').set({ hook_heartbeat: seconds }).where('id', '=', id).execute();
};
