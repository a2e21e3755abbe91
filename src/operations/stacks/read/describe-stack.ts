import { notFound } from '../../../basics/failure.ts';
import type { Query } from '../../../store/database/database.ts';
import { type EventRow, listEvents } from '../../../store/stacks/events.ts';
import { findStack, listStacks, type StackFilter, type StackRow } from '../../../store/stacks/stacks.ts';
import { readDocuments } from '../../../store/stacks/versions.ts';
import type { Actor } from '../../access/access.ts';
import { decideOnStack, mayList } from '../../access/permission.ts';
import { type Service, sealedFor } from '../../service.ts';

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
  view: StackRow['view'];
}

/** Whoever holds it is the stack's agent and reads its secrets; so only whoever may read its keys is shown it. */
const authTokenFor = (service: Service, actor: Actor, row: StackRow): string =>
  decideOnStack(actor, 'stack:describePem', row).allowed
    ? service.sealer.unseal(row.sealed_auth_token, sealedFor.authToken(row.id)).reveal()
    : '';

const describe = (service: Service, actor: Actor, row: StackRow, document: object): DescribedStack => ({
  id: row.id,
  authToken: authTokenFor(service, actor, row),
  accountId: row.account_id,
  username: row.created_by,
  nickname: row.nickname,
  vendor: row.vendor,
  region: row.region,
  credentialId: row.credential_id,
  status: row.status,
  statusReason: row.status_reason,
  versionId: row.desired_version,
  document,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  view: row.view,
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
  return describe(service, actor, row, documents.get(row.desired_version) ?? {});
}

/** What the caller may not see is left out, and a page is filled up with what comes after. */
async function listVisible(query: Query, actor: Actor, filter: StackFilter): Promise<StackRow[]> {
  const visible: StackRow[] = [];
  let { after } = filter;
  for (;;) {
    const rows = await listStacks(query, actor.accountId, { ...filter, after });
    visible.push(...rows.filter((row) => mayList(actor, row)));
    const last = rows.at(-1);
    const isWhole =
      filter.limit === undefined || rows.length < filter.limit || visible.length >= filter.limit;
    if (isWhole || !last) return visible.slice(0, filter.limit);
    after = { createdAt: last.created_at, id: last.id };
  }
}

export async function describeStacks(
  service: Service,
  actor: Actor,
  filter: StackFilter,
): Promise<DescribedStack[]> {
  const { query } = service.database;
  const rows = await listVisible(query, actor, filter);
  const documents = await readDocuments(
    query,
    rows.map((row) => row.desired_version),
  );
  return rows.map((row) => describe(service, actor, row, documents.get(row.desired_version) ?? {}));
}

export async function readEvents(
  service: Service,
  actor: Actor,
  stackId: string,
  page: { after: number; limit: number },
  language: StackRow['language'] = 'v3',
): Promise<EventRow[]> {
  const stack = await findVisible(service, actor, stackId, language);
  return listEvents(service.database.query, stack.id, page);
}
