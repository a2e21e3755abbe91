import type { Selectable } from 'kysely';
import type { Drift } from '../../vendors/drift.ts';
import type { Query } from '../database/database.ts';
import { inParts } from '../database/in-parts.ts';
import type { StackTable } from '../database/tables.ts';
import { countRunning } from './schedule.ts';
import { matchingStacks, type StackFilter, viewColumn } from './stacks.ts';
import { versionFacts } from './version-facts.ts';
import { documentColumn, modelColumn } from './versions.ts';

/** No documents, no views and nothing sealed: they are large, or secret. */
const columns = [
  'id',
  'account_id',
  'created_by',
  'language',
  'vendor',
  'region',
  'credential_id',
  'nickname',
  'operation',
  'requested_by',
  'desired_version',
  'status',
  'status_reason',
  'health',
  'health_reason',
  'undoing',
  'undoing_progress',
  'cancelled_version',
  'running',
  'drift_state',
  'drift_checked_at',
  'created_at',
  'updated_at',
  'deleted_at',
  'changed_at',
] as const satisfies readonly (keyof StackTable)[];

type ReadRow = Pick<Selectable<StackTable>, (typeof columns)[number]>;

interface SummarizedVersion {
  id: string;
  label: string;
  wanted: number;
  created_by: string;
  created_at: number;
}

/** A stack as far as a list shows it. */
export interface SummaryRow extends Omit<ReadRow, 'running'> {
  running: number;
  version: SummarizedVersion;
}

/** Newest first, without deleted stacks. */
export const listSummaries = async (
  query: Query,
  accountId: string,
  filter: StackFilter,
): Promise<SummaryRow[]> =>
  complete(query, await matchingStacks(query, accountId, filter).select(columns).execute());

/** Stacks that changed at that time or later; deleted ones are among them. */
export const listChangedSummaries = async (
  query: Query,
  accountId: string,
  since: number,
): Promise<SummaryRow[]> =>
  complete(
    query,
    await query
      .selectFrom('stacks')
      .select(columns)
      .where('account_id', '=', accountId)
      .where('changed_at', '>=', since)
      .execute(),
  );

async function complete(query: Query, rows: readonly ReadRow[]): Promise<SummaryRow[]> {
  const versions = await readVersionFacts(
    query,
    rows.map((row) => row.desired_version),
  );
  const counts = await countUncounted(query, rows);
  return rows.map((row) => ({
    ...row,
    running: row.running ?? counts.get(row.id) ?? 0,
    version: versions.get(row.desired_version) ?? unknownVersion(row),
  }));
}

/** Every stack has its desired version; one that does not must not hide the others. */
const unknownVersion = (row: ReadRow): SummarizedVersion => ({
  id: row.desired_version,
  ...unknownFacts,
  created_by: row.created_by,
  created_at: row.created_at,
});

async function readVersionFacts(
  query: Query,
  ids: readonly string[],
): Promise<Map<string, SummarizedVersion>> {
  const found = new Map<string, SummarizedVersion>();
  for (const part of inParts(ids)) {
    const rows = await query
      .selectFrom('versions')
      .select(['id', 'label', 'wanted', 'created_by', 'created_at'])
      .where('id', 'in', part)
      .execute();
    for (const { label, wanted, ...row } of rows) {
      const isKnown = label !== null && wanted !== null;
      found.set(row.id, { ...row, ...(isKnown ? { label, wanted } : await computeFacts(query, row.id)) });
    }
  }
  return found;
}

const unknownFacts = { label: '', wanted: 0 };

/** Once for each version that was stored before its facts were. */
async function computeFacts(query: Query, id: string) {
  const row = await query
    .selectFrom('versions')
    .select(['document', 'model'])
    .where('id', '=', id)
    .executeTakeFirst();
  const facts = row && factsIn(row, id);
  if (!facts) return unknownFacts;
  // A database that cannot be written must not prevent reading.
  await query
    .updateTable('versions')
    .set(facts)
    .where('id', '=', id)
    .execute()
    .catch(() => {});
  return facts;
}

/** Null: the version is damaged. Its own page reports that; here it must not hide the other stacks. */
function factsIn({ document, model }: { document: string; model: string }, id: string) {
  try {
    return versionFacts({
      document: documentColumn.parse(document, id),
      model: modelColumn.parse(model, id),
    });
  } catch {
    return null;
  }
}

/** Stacks that had no pass since instances are counted. */
async function countUncounted(query: Query, rows: readonly ReadRow[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const uncounted = rows.filter(({ running }) => running === null).map(({ id }) => id);
  for (const part of inParts(uncounted)) {
    const found = await query.selectFrom('stacks').select(['id', 'view']).where('id', 'in', part).execute();
    for (const { id, view } of found) counts.set(id, countRunning(viewColumn.parse(view, id)));
  }
  return counts;
}

/** Keeps the result of a drift check for lists, which do not ask vendors. True: it is new. */
export async function saveDrift(
  query: Query,
  stackId: string,
  { state, checkedAt, now }: Pick<Drift, 'state' | 'checkedAt'> & { now: number },
): Promise<boolean> {
  const result = await query
    .updateTable('stacks')
    .set({ drift_state: state, drift_checked_at: checkedAt, changed_at: now })
    .where('id', '=', stackId)
    .where((where) =>
      where.or([
        where('drift_state', 'is distinct from', state),
        where('drift_checked_at', 'is distinct from', checkedAt),
      ]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
