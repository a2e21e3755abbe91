import { notFound } from '../../../basics/failure.ts';
import type { Doing } from '../../../model/rollout.ts';
import type { Query } from '../../../store/database/database.ts';
import { Remembered } from '../../../store/database/remembered.ts';
import { type EventRow, listEvents } from '../../../store/stacks/events.ts';
import { isDueTooLate, observeWatched } from '../../../store/stacks/followed-stacks.ts';
import { findStack, listStacks, type StackFilter, type StackRow } from '../../../store/stacks/stacks.ts';
import { readDocuments } from '../../../store/stacks/versions.ts';
import type { Actor } from '../../access/access.ts';
import { decideOnStack } from '../../access/permission.ts';
import type { StackReference } from '../../find-stack.ts';
import { type Service, sealedFor } from '../../service.ts';
import { keptBounds, RememberedPages } from '../remembered-pages.ts';
import { doingOf, doingReason } from './doing.ts';
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
  health: StackRow['health'];
  healthReason: string;
  doing: Doing;
  doingReason: string;
  versionId: string;
  document: object;
  createdAt: number;
  updatedAt: number;
  view: StackRow['view'];
}

/** A personal access token or a service must not leave with a secret that survives its own revocation. */
const isRevocable = (actor: Actor): boolean =>
  actor.kind === 'user' ? actor.personalToken !== undefined : actor.clientKind === 'service';

/** The token of a stack grants the rights of its agent, which reads its secrets: only for those who may read its keys. */
const mayReadToken = (actor: Actor, row: StackRow): boolean =>
  !isRevocable(actor) && decideOnStack(actor, 'stack:describePem', row).allowed;

/** The document of its desired version. */
interface WithDocument {
  row: StackRow;
  document: object;
}

const describe = (
  { sealer }: Service,
  { row, document }: WithDocument,
  hasToken: boolean,
): DescribedStack => ({
  id: row.id,
  authToken: hasToken ? sealer.unseal(row.sealed_auth_token, sealedFor.authToken(row.id)).reveal() : '',
  accountId: row.account_id,
  username: row.created_by,
  nickname: row.nickname,
  vendor: row.vendor,
  region: row.region,
  credentialId: row.credential_id,
  status: row.status,
  statusReason: row.status_reason,
  health: row.health,
  healthReason: row.health_reason,
  doing: doingOf(row),
  doingReason: doingReason(row),
  versionId: row.desired_version,
  document,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  view: row.view,
});

/** As long as a stack does not change, its row is the same object, and so are its descriptions, with and without the token. */
const descriptions = {
  withToken: new WeakMap<StackRow, DescribedStack>(),
  without: new WeakMap<StackRow, DescribedStack>(),
};

function describeOnce(service: Service, actor: Actor, read: WithDocument): DescribedStack {
  const hasToken = mayReadToken(actor, read.row);
  const known = hasToken ? descriptions.withToken : descriptions.without;
  const before = known.get(read.row);
  if (before) return before;
  const described = describe(service, read, hasToken);
  known.set(read.row, described);
  return described;
}

const stacks = new Remembered<WithDocument | undefined>(['stacks', 'versions'], keptBounds);
const pages = new RememberedPages<WithDocument>();

const withDocuments = async (query: Query, rows: readonly StackRow[]): Promise<WithDocument[]> => {
  const documents = await readDocuments(
    query,
    rows.map((row) => row.desired_version),
  );
  return rows.map((row) => ({ row, document: documents.get(row.desired_version) ?? {} }));
};

async function findWithDocument(
  { database, clock }: Service,
  { accountId }: Actor,
  { stackId, language }: StackReference,
): Promise<WithDocument> {
  const key = `${accountId} ${stackId}`;
  const read = async () => {
    const row = await findStack(database.query, accountId, stackId);
    return row && (await withDocuments(database.query, [row]))[0];
  };
  const found = stacks.known(database, key) ?? (await stacks.read(database, key, read));
  const { row } = found ?? {};
  const isExpired = row?.deleted_at !== null && (row?.deleted_at ?? 0) < clock.now() - deletedRetentionMs;
  if (!found || row?.language !== language || isExpired) throw notFound('Stack', stackId);
  return found;
}

/** Finds a stack of the caller's account, or one deleted less than the retention time ago. */
export const findVisible = async (
  service: Service,
  actor: Actor,
  reference: StackReference,
): Promise<StackRow> => (await findWithDocument(service, actor, reference)).row;

/** Who describes a stack again and again wants to see soon what happens to it outside Almanac. Mostly writes nothing. */
function observeSoon({ database, clock }: Service, row: StackRow): void | Promise<void> {
  const now = clock.now();
  if (isDueTooLate(row, now)) return observeWatched(database.query, [row.id], now);
}

export async function describeStack(
  service: Service,
  actor: Actor,
  reference: StackReference,
): Promise<DescribedStack> {
  const found = await findWithDocument(service, actor, reference);
  const observing = observeSoon(service, found.row);
  if (observing) await observing;
  return describeOnce(service, actor, found);
}

export async function describeStacks(
  service: Service,
  actor: Actor,
  filter: StackFilter,
): Promise<DescribedStack[]> {
  const { database } = service;
  const { accountId } = actor;
  const documents = new Map<StackRow, WithDocument>();
  const rows = await listVisible(actor, filter, async (page) => {
    const read = async () => withDocuments(database.query, await listStacks(database.query, accountId, page));
    const found = await pages.read(database, { accountId, filter: page, read });
    for (const each of found) documents.set(each.row, each);
    return found.map(({ row }) => row);
  });
  return rows.map((row) => describeOnce(service, actor, documents.get(row) ?? { row, document: {} }));
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
