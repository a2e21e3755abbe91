import { notFound } from '../basics/failure.ts';
import { type EventRow, listEvents } from '../store/events.ts';
import { findStack, listStacks, type StackFilter, type StackRow } from '../store/stacks.ts';
import { readDocuments } from '../store/versions.ts';
import type { StackView } from '../vendors/vendor.ts';
import type { Actor } from './access.ts';
import { mayList } from './permission.ts';
import { type Service, sealedFor } from './service.ts';

/** A deleted stack can be described this long; then it was never there. */
const deletedRetentionMs = 60 * 60_000;

/** A stack as a caller may see it, for every version of the interface to present in its own words. */
export interface DescribedStack {
  id: string;
  authToken: string;
  accountId: string;
  username: string;
  nickname: string;
  vendor: string;
  region: string;
  credentialId: string;
  status: StackRow['status'];
  statusReason: string;
  versionId: string;
  document: object;
  createdAt: number;
  updatedAt: number;
  view: Omit<StackView, 'events'>;
}

const describe = (service: Service, row: StackRow, document: string): DescribedStack => ({
  id: row.id,
  authToken: service.sealer.unseal(row.sealed_auth_token, sealedFor.authToken(row.id)).reveal(),
  accountId: row.account_id,
  username: row.created_by,
  nickname: row.nickname,
  vendor: row.vendor,
  region: row.region,
  credentialId: row.credential_id,
  status: row.status,
  statusReason: row.status_reason,
  versionId: row.desired_version,
  document: JSON.parse(document),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  view: JSON.parse(row.view),
});

/** The caller's own stack, also for a while after it was deleted. */
export async function findVisible(
  service: Service,
  actor: Actor,
  stackId: string,
  language: StackRow['language'],
): Promise<StackRow> {
  const row = await findStack(service.database.query, actor.accountId, stackId);
  const forgotten =
    row?.deleted_at !== null && (row?.deleted_at ?? 0) < service.clock.now() - deletedRetentionMs;
  if (!row || row.language !== language || forgotten) throw notFound('Stack', stackId);
  return row;
}

export async function describeStack(
  service: Service,
  actor: Actor,
  stackId: string,
  language: StackRow['language'],
): Promise<DescribedStack> {
  const row = await findVisible(service, actor, stackId, language);
  const documents = await readDocuments(service.database.query, [row.desired_version]);
  return describe(service, row, documents.get(row.desired_version) ?? '{}');
}

export async function describeStacks(
  service: Service,
  actor: Actor,
  filter: StackFilter,
): Promise<DescribedStack[]> {
  const { query } = service.database;
  // What the caller may not see is left out, so a page may hold less than its limit.
  const rows = (await listStacks(query, actor.accountId, filter)).filter((row) => mayList(actor, row));
  const documents = await readDocuments(
    query,
    rows.map((row) => row.desired_version),
  );
  return rows.map((row) => describe(service, row, documents.get(row.desired_version) ?? '{}'));
}

export async function readEvents(
  service: Service,
  actor: Actor,
  stackId: string,
  page: { after: number; limit: number },
  language: StackRow['language'] = 'v3',
): Promise<EventRow[]> {
  const stack = await findVisible(service, actor, stackId, language);
  return listEvents(service.database.query, stack.id, page.after, page.limit);
}
