import { notFound } from '../../../basics/failure.ts';
import { type EventRow, listEvents } from '../../../store/stacks/events.ts';
import { isDueTooLate, observeWatched } from '../../../store/stacks/followed-stacks.ts';
import { findStack, listStacks, type StackFilter, type StackRow } from '../../../store/stacks/stacks.ts';
import { readDocuments } from '../../../store/stacks/versions.ts';
import type { Actor } from '../../access/access.ts';
import { decideOnStack } from '../../access/permission.ts';
import type { StackReference } from '../../find-stack.ts';
import { type Service, sealedFor } from '../../service.ts';
import { listVisible } from './list-visible.ts';

/** A deleted stack can be described for this long; after that it is not found. */
const deletedRetentionMs = 60 * 60_000;

/** A stack as a caller may see it, independent of the API version that presents it. */
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

/** A personal access token or a service must not leave with a secret that survives its own revocation. */
const isRevocable = (actor: Actor): boolean =>
  actor.kind === 'user' ? actor.personalToken !== undefined : actor.clientKind === 'service';

/** Empty unless the caller may read the stack's keys: the token grants the rights of its agent, which reads its secrets. */
const authTokenFor = (service: Service, actor: Actor, row: StackRow): string =>
  !isRevocable(actor) && decideOnStack(actor, 'stack:describePem', row).allowed
    ? service.sealer.unseal(row.sealed_auth_token, sealedFor.authToken(row.id)).reveal()
    : '';

const describe = (
  service: Service,
  actor: Actor,
  { row, document }: { row: StackRow; document: object },
): DescribedStack => ({
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

/** Finds a stack of the caller's account, or one deleted less than the retention time ago. */
export async function findVisible(
  service: Service,
  actor: Actor,
  { stackId, language }: StackReference,
): Promise<StackRow> {
  const row = await findStack(service.database.query, actor.accountId, stackId);
  const isExpired =
    row?.deleted_at !== null && (row?.deleted_at ?? 0) < service.clock.now() - deletedRetentionMs;
  if (!row || row.language !== language || isExpired) throw notFound('Stack', stackId);
  return row;
}

/** Who describes a stack again and again wants to see soon what happens to it outside Almanac. Mostly writes nothing. */
async function observeSoon({ database, clock }: Service, row: StackRow): Promise<void> {
  const now = clock.now();
  if (isDueTooLate(row, now)) await observeWatched(database.query, [row.id], now);
}

export async function describeStack(
  service: Service,
  actor: Actor,
  reference: StackReference,
): Promise<DescribedStack> {
  const row = await findVisible(service, actor, reference);
  await observeSoon(service, row);
  const documents = await readDocuments(service.database.query, [row.desired_version]);
  return describe(service, actor, { row, document: documents.get(row.desired_version) ?? {} });
}

export async function describeStacks(
  service: Service,
  actor: Actor,
  filter: StackFilter,
): Promise<DescribedStack[]> {
  const { query } = service.database;
  const rows = await listVisible(actor, filter, (page) => listStacks(query, actor.accountId, page));
  const documents = await readDocuments(
    query,
    rows.map((row) => row.desired_version),
  );
  return rows.map((row) =>
    describe(service, actor, { row, document: documents.get(row.desired_version) ?? {} }),
  );
}

export interface EventPage extends StackReference {
  /** Number of the last event already read. */
  after: number;
  limit: number;
}

export async function readEvents(
  service: Service,
  actor: Actor,
  { after, limit, ...reference }: EventPage,
): Promise<EventRow[]> {
  const stack = await findVisible(service, actor, reference);
  await observeSoon(service, stack);
  return listEvents(service.database.query, stack.id, { after, limit });
}
