import { type Selectable, sql } from 'kysely';
import type { StackModel } from '../../model/stack-model.ts';
import type { VendorDocument } from '../../vendors/vendor.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Database, Query } from '../database/database.ts';
import { inParts } from '../database/in-parts.ts';
import { JsonColumn } from '../database/json-column.ts';
import type { VersionTable } from '../database/tables.ts';

/** A document as the user wrote it, without its secrets. */
type StoredDocument = Readonly<Record<string, unknown>>;

/** Ids of kept data by resource. */
export type RestoredData = Readonly<Record<string, string>>;

type ParsedColumns = 'document' | 'model' | 'vendor_document' | 'skip_resources' | 'restored_data';

export interface VersionRow extends Omit<Selectable<VersionTable>, ParsedColumns> {
  document: StoredDocument;
  model: StackModel;
  vendor_document: VendorDocument;
  skip_resources: readonly string[];
  restored_data: RestoredData;
}

type DerivedColumns = 'number' | 'size' | 'label' | 'wanted' | 'cancelled_at';

/** The number, the size and the facts for the summary follow from the rest. */
export interface NewVersionRow
  extends Omit<
    VersionRow,
    DerivedColumns | 'document' | 'skip_resources' | 'restored_data' | 'cause' | 'returned_from'
  > {
  document: object;
  skip_resources?: readonly string[];
  restored_data?: RestoredData;
  cause?: string;
  returned_from?: string | null;
}

export const documentColumn = new JsonColumn<StoredDocument>('versions.document');
export const modelColumn = new JsonColumn<StackModel>('versions.model');
export const restoredColumn = new JsonColumn<RestoredData>('versions.restored_data');
export const skipColumn = new JsonColumn<readonly string[]>('versions.skip_resources');
export const vendorDocumentColumn = new JsonColumn<VendorDocument>('versions.vendor_document');

/** Calls `make` when the value is needed for the first time. */
const lazily = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};

/** Parses a document when it is read: each may be large, and most callers need one of the three. */
const versionFrom = (row: Selectable<VersionTable>): VersionRow => {
  const document = lazily(() => documentColumn.parse(row.document, row.id));
  const model = lazily(() => modelColumn.parse(row.model, row.id));
  const vendorDocument = lazily(() => vendorDocumentColumn.parse(row.vendor_document, row.id));
  return {
    ...row,
    skip_resources: skipColumn.parse(row.skip_resources, row.id),
    restored_data: restoredColumn.parse(row.restored_data, row.id),
    get document() {
      return document();
    },
    get model() {
      return model();
    },
    get vendor_document() {
      return vendorDocument();
    },
  };
};

/** What the caller allowed is for the first attempt to reach a version, not for a later return to it. */
export const clearSkipped = async (query: Query, id: string): Promise<void> => {
  await query
    .updateTable('versions')
    .set({ skip_resources: skipColumn.format([]) })
    .where('id', '=', id)
    .execute();
};

/** It never becomes the last complete version, even if the vendor completes it. */
export const markCancelled = async (query: Query, id: string, now: number): Promise<void> => {
  await query.updateTable('versions').set({ cancelled_at: now }).where('id', '=', id).execute();
};

export async function findVersion(
  query: Query,
  stackId: string,
  id: string,
): Promise<VersionRow | undefined> {
  const row = await ofStack.first(query, { stackId, id });
  return row && versionFrom(row);
}

const ofStack = prebuilt((query, { stackId, id }: { stackId: string; id: string }) =>
  query.selectFrom('versions').selectAll().where('stack_id', '=', stackId).where('id', '=', id),
);

/** Only the model: agents ask for it often, and the documents may be large. */
export async function readDesiredModel(
  query: Query,
  { id, desired_version: version }: { id: string; desired_version: string },
): Promise<Pick<VersionRow, 'id' | 'model' | 'created_at'>> {
  const row = await query
    .selectFrom('versions')
    .select(['id', 'model', 'created_at'])
    .where('stack_id', '=', id)
    .where('id', '=', version)
    .executeTakeFirst();
  if (!row) throw new Error(`Version ${version} of stack ${id} is not in the database.`);
  return { ...row, model: modelColumn.parse(row.model, row.id) };
}

/** The version a stack is to reach. Every stack has one: its absence is an internal error. */
export async function readDesiredVersion(
  query: Query,
  { id, desired_version: version }: { id: string; desired_version: string },
): Promise<VersionRow> {
  const row = await findVersion(query, id, version);
  if (!row) throw new Error(`Version ${version} of stack ${id} is not in the database.`);
  return row;
}

/** The documents of many versions in one query, by version id. */
export async function readDocuments(
  query: Query,
  ids: readonly string[],
): Promise<Map<string, StoredDocument>> {
  const documents = new Map<string, StoredDocument>();
  for (const part of inParts(ids)) {
    const rows = await query
      .selectFrom('versions')
      .select(['id', 'document'])
      .where('id', 'in', part)
      .execute();
    for (const { id, document } of rows) documents.set(id, documentColumn.parse(document, id));
  }
  return documents;
}

export async function insertVersionSecrets(
  query: Query,
  versionId: string,
  sealed: ReadonlyMap<string, string>,
): Promise<void> {
  if (sealed.size === 0) return;
  const rows = [...sealed].map(([name, text]) => ({ version_id: versionId, name, sealed: text }));
  await query.insertInto('version_secrets').values(rows).execute();
}

/** Replaces the secret stored under the same name. */
export async function replaceVersionSecret(
  query: Query,
  versionId: string,
  { name, sealed }: { name: string; sealed: string },
): Promise<void> {
  await query
    .insertInto('version_secrets')
    .values({ version_id: versionId, name, sealed })
    .onConflict((conflict) => conflict.columns(['version_id', 'name']).doUpdateSet({ sealed }))
    .execute();
}

/** Sealed texts by name. They are sealed for the stack, so that a later version can take them over. */
export async function readVersionSecrets(query: Query, versionId: string): Promise<Map<string, string>> {
  const rows = await secretsOf.all(query, { versionId });
  return new Map(rows.map((row) => [row.name, row.sealed]));
}

const secretsOf = prebuilt((query, { versionId }: { versionId: string }) =>
  query.selectFrom('version_secrets').selectAll().where('version_id', '=', versionId),
);

/** A secret that is the same in all versions of a stack, from the newest version that has it. */
export async function findSecretOfStack(
  query: Query,
  stackId: string,
  name: string,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('version_secrets')
    .innerJoin('versions', 'versions.id', 'version_secrets.version_id')
    .select('version_secrets.sealed')
    .where('versions.stack_id', '=', stackId)
    .where('version_secrets.name', '=', name)
    .orderBy('versions.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.sealed;
}

export async function findNewestVersion(query: Query, stackId: string): Promise<VersionRow | undefined> {
  const row = await query
    .selectFrom('versions')
    .selectAll()
    .where('stack_id', '=', stackId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && versionFrom(row);
}

export interface VersionPage {
  /** Continue after this version, the last of the previous page. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** A version without its documents: listing a long history must not read them. */
export interface ListedVersion
  extends Pick<VersionRow, 'id' | 'size' | 'created_by' | 'created_at' | 'cause'> {
  label: string | number | null;
}

/** Newest first. */
export function listVersions(
  database: Database,
  stackId: string,
  { after, limit }: VersionPage,
): Promise<ListedVersion[]> {
  const label =
    database.engine === 'postgres'
      ? sql<string | null>`document::json->>'label'`
      : sql<string | number | null>`json_extract(document, '$.label')`;
  const last = database.query
    .selectFrom('versions')
    .select('number')
    .where('id', '=', after ?? '');
  return database.query
    .selectFrom('versions')
    .select(['id', 'size', 'created_by', 'created_at', 'cause', label.as('label')])
    .where('stack_id', '=', stackId)
    .$if(after !== undefined, (query) => query.where('number', '<', last.where('stack_id', '=', stackId)))
    .orderBy('number', 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .execute();
}
