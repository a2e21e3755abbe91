import { isInProgress } from '../../../model/status.ts';
import { listCredentials } from '../../../store/access/credentials.ts';
import { recentDurations } from '../../../store/stacks/durations.ts';
import type { StackFilter } from '../../../store/stacks/stacks.ts';
import { listSummaries, type SummaryRow } from '../../../store/stacks/summaries.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { RememberedPages } from '../remembered-pages.ts';
import { cursorAt, rightsOf } from './change-cursor.ts';
import { maxSamples, percentile } from './estimate.ts';
import { listVisible } from './list-visible.ts';

/** Usual duration of an operation, in milliseconds. */
interface Expected {
  p50: number;
  p90: number;
}

/** A stack as a list shows it, independent of the API version that made it. */
export interface StackSummary extends SummaryRow {
  /** Null: nothing is in progress, or nothing is known, as while a failed operation is undone. */
  expected: Expected | null;
}

const keyOf = ({ vendor, credential_id: credential }: SummaryRow): string => `${vendor} ${credential}`;

const settledSummaries = new WeakMap<SummaryRow, StackSummary>();

/** As long as a row is the same, so is its summary, whose text is kept. */
function settled(row: SummaryRow): StackSummary {
  const summary = settledSummaries.get(row) ?? { ...row, expected: null };
  settledSummaries.set(row, summary);
  return summary;
}

/** Past successes say nothing about the time that undoing takes. */
const isExpected = ({ status, undoing }: SummaryRow): boolean => isInProgress(status) && undoing === '';

const pages = new RememberedPages<SummaryRow>();

/** Adds what is expected of operations in progress: one query for each kind of them, however many there are. */
export async function withExpectations(
  { database: { query } }: Service,
  accountId: string,
  rows: readonly SummaryRow[],
): Promise<StackSummary[]> {
  const working = rows.filter(isExpected);
  if (working.length === 0) return rows.map(settled);
  const credentials = await listCredentials(query, accountId);
  const drivers = new Map(credentials.map(({ vendor, id, driver }) => [`${vendor} ${id}`, driver]));
  const known = new Map<string, Expected | null>();
  const kindOf = (row: SummaryRow) => `${drivers.get(keyOf(row)) ?? ''} ${row.operation}`;
  for (const row of working) {
    const driver = drivers.get(keyOf(row));
    if (driver === undefined || known.has(kindOf(row))) continue;
    const { operation } = row;
    const samples = await recentDurations(query, { accountId, driver, operation, limit: maxSamples });
    const [p50, p90] = [percentile(samples, 0.5), percentile(samples, 0.9)];
    known.set(kindOf(row), p50 === null || p90 === null ? null : { p50, p90 });
  }
  return rows.map((row) =>
    isExpected(row) ? { ...row, expected: known.get(kindOf(row)) ?? null } : settled(row),
  );
}

export interface SummaryList {
  stacks: readonly StackSummary[];
  /** What changes after the list was read comes after this. */
  cursor: string;
}

/** The stacks of both API versions that the caller may see. */
export async function summarizeStacks(
  service: Service,
  actor: Actor,
  filter: StackFilter,
): Promise<SummaryList> {
  const cursor = cursorAt(service.clock.now(), rightsOf(actor));
  const { database } = service;
  const { accountId } = actor;
  const rows = await listVisible(actor, filter, (page) => {
    const read = () => listSummaries(database.query, accountId, page);
    return pages.read(database, { accountId, filter: page, read });
  });
  return { cursor, stacks: await withExpectations(service, accountId, rows) };
}
