import type { Selectable } from 'kysely';
import { prebuilt } from '../../database/built/prebuilt.ts';
import type { Query } from '../../database/database.ts';
import type { VersionTable } from '../../database/tables.ts';
import { versionFacts } from '../version-facts.ts';
import {
  modelColumn,
  type NewVersionRow,
  restoredColumn,
  skipColumn,
  vendorDocumentColumn,
} from '../versions.ts';

/** Adds a version after the last one. Call it in the transaction that makes it the desired version. */
export async function insertVersion(query: Query, version: NewVersionRow): Promise<void> {
  const { id, stack_id, created_by, created_at } = version;
  const document = JSON.stringify(version.document);
  await inserting.change(query, {
    id,
    stack_id,
    created_by,
    created_at,
    document,
    size: Buffer.byteLength(document),
    ...versionFacts(version),
    model: modelColumn.format(version.model),
    vendor_document: vendorDocumentColumn.format(version.vendor_document),
    skip_resources: skipColumn.format(version.skip_resources ?? []),
    restored_data: restoredColumn.format(version.restored_data ?? {}),
    cause: version.cause ?? '',
    returned_from: version.returned_from ?? null,
  });
}

const columns = [
  'id',
  'stack_id',
  'created_by',
  'created_at',
  'document',
  'size',
  'label',
  'wanted',
  'model',
  'vendor_document',
  'skip_resources',
  'restored_data',
  'cause',
  'returned_from',
] as const;

type Inserted = Pick<Selectable<VersionTable>, (typeof columns)[number]>;

const inserting = prebuilt((query, row: Inserted) =>
  query.insertInto('versions').values((insert) => ({
    ...(Object.fromEntries(columns.map((column) => [column, row[column]])) as unknown as Inserted),
    number: insert
      .selectFrom('versions')
      .select((select) =>
        select(select.fn.coalesce(select.fn.max('number'), select.lit(0)), '+', select.lit(1)).as('number'),
      )
      .where('stack_id', '=', row.stack_id),
  })),
);
