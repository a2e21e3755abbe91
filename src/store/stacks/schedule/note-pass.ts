import type { ExpressionBuilder, Selectable } from 'kysely';
import { isInProgress } from '../../../model/status.ts';
import { prebuilt } from '../../database/built/prebuilt.ts';
import type { Query } from '../../database/database.ts';
import type { StackTable, Tables } from '../../database/tables.ts';

/** Columns that a pass writes as they are. */
const columns = [
  'view',
  'running',
  'settled_version',
  'tried_wish',
  'refused_wish',
  'refused_reason',
  'troubles',
  'undoing',
  'undoing_progress',
  'status',
  'status_reason',
  'updated_at',
  'deleted_at',
  'swept',
] as const;

type Column = (typeof columns)[number];

export interface Noted extends Pick<Selectable<StackTable>, Column | 'next_at' | 'id' | 'epoch' | 'wakes'> {
  now: number;
  /** How many events its row counts from now on. */
  added: number;
  /** When the stack was due at the start of the pass. */
  claimedAt: number | null;
}

/** `timed`: a next look is planned. `open`: none is. `over`: there will be none. */
type End = 'timed' | 'open' | 'over';

/** During a pass only `wakeStackSoon` moves `next_at` without counting as a newer request. The earlier time counts. */
function nextLook(
  row: ExpressionBuilder<Tables, 'stacks'>,
  { claimedAt, next_at: planned }: Noted,
  end: End,
) {
  const isAsked = row('next_at', '!=', claimedAt);
  const isEarlier = end === 'timed' ? row('next_at', '<', planned) : row.lit(end === 'open');
  return row
    .case()
    .when(row.and([isAsked, isEarlier]))
    .then(row.ref('next_at'))
    .else(planned)
    .end();
}

const noting = (end: End, isChanged: boolean) =>
  prebuilt((query, values: Noted) =>
    query
      .updateTable('stacks')
      .set(Object.fromEntries(columns.map((column) => [column, values[column]])))
      .set({ lease_until: 0, lease_owner: '', ...(isChanged ? { changed_at: values.now } : {}) })
      .set((row) => ({
        next_at: nextLook(row, values, end),
        event_count: row('event_count', '+', values.added),
      }))
      .where('id', '=', values.id)
      .where('epoch', '=', values.epoch)
      .where('wakes', '=', values.wakes)
      .returning('event_count'),
  );

const texts = {
  timed: { changed: noting('timed', true), same: noting('timed', false) },
  open: { changed: noting('open', true), same: noting('open', false) },
  over: { changed: noting('over', true), same: noting('over', false) },
};

/**
 * Writes everything about a pass and releases the stack. Returns the number of its last event; null: a newer request arrived, or
 * the lease was lost.
 */
export async function notePass(query: Query, noted: Noted, isChanged: boolean): Promise<number | null> {
  const end = noted.next_at !== null ? 'timed' : noted.deleted_at === null ? 'open' : 'over';
  const row = await texts[end][isChanged ? 'changed' : 'same'].first(query, noted);
  return row?.event_count ?? null;
}

const summarized = ['status', 'status_reason', 'running', 'undoing', 'undoing_progress'] as const;

type Summarized = Pick<Selectable<StackTable>, (typeof summarized)[number]>;

/** During an operation each pass counts: its progress shows. */
export const isSummaryChanged = (before: Summarized, after: Summarized): boolean =>
  isInProgress(after.status) || summarized.some((column) => before[column] !== after[column]);
