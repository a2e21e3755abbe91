import { Failure } from '../../basics/failure.ts';
import { isObject } from '../../basics/is-object.ts';
import { storeName } from '../../model/names.ts';
import { existingStores, type StoreRow, updateKept } from '../../store/data/stores.ts';
import type { Query } from '../../store/database/database.ts';
import { addEvents } from '../../store/stacks/events.ts';
import { findVersion, readDesiredVersion } from '../../store/stacks/versions.ts';
import { type Actor, nameOf } from '../access/access.ts';
import { requireOnStack } from '../access/permission.ts';
import type { Service } from '../service.ts';
import { updateTemplate } from '../stacks/submit/apply-template.ts';
import { refuseInUse } from '../stacks/submit/restore-data.ts';
import type { Submitted } from '../stacks/submit/submit-document.ts';
import type { WriteConditions } from '../stacks/submit/write-conditions.ts';
import { type DescribedStore, findData, findKeptData } from './read-data.ts';

const requireKept = ({ id, state }: StoreRow): void => {
  if (state === 'kept') return;
  throw new Failure('conflict', `${id} is not kept data: it is ${state.replace('_', ' ')}`, {
    description: 'Only data that outlived its store can be restored or forgotten. "alm data list" shows it.',
  });
};

/** Takes kept data off the list. Nothing is deleted at the vendor. */
export async function forgetData(service: Service, actor: Actor, id: string): Promise<DescribedStore> {
  const { database, clock } = service;
  const found = await findData(service, actor, id);
  const { row, stack } = found;
  await requireOnStack(database.query, actor, { action: 'stack:deleteStack', stackId: stack.id });
  requireKept(row);
  const message = `${nameOf(actor)} asked to forget ${row.id}. It is not deleted: ${row.kept_where}`;
  await database.transaction(async (query) => {
    if (!(await updateKept(query, row.id, { state: 'forgotten' })))
      throw new Failure('conflict', `${row.id} is in use again`);
    await addEvents(query, stack.id, [
      { at: clock.now(), kind: 'data', message, resource: row.resource, resourceType: row.resource_type },
    ]);
  });
  return { ...found, row: { ...row, state: 'forgotten' } };
}

const sections: Readonly<Record<string, readonly [part: string, member: string]>> = {
  database: ['provision', 'rds'],
  cache: ['provision', 'elasticache'],
  files: ['container', 'container_storage'],
};

type Layer = Readonly<Record<string, unknown>>;
type Document = Readonly<Record<string, unknown>>;

const layersOf = ({ configurations }: Document): readonly Layer[] =>
  Array.isArray(configurations) ? configurations.filter(isObject) : [];

const isOf = ({ name }: StoreRow, layer: Layer): boolean => storeName(String(layer['flag'])) === name;

function sectionIn(document: Document, row: StoreRow): unknown {
  const [part = '', member = ''] = sections[row.kind] ?? [];
  const owner = layersOf(document).find((layer) => isOf(row, layer))?.[part];
  return isObject(owner) ? owner[member] : undefined;
}

/** The document with the section of a store, and where it is restored from. */
function withSection(document: Document, row: StoreRow, section: object): Document {
  const [part = '', member = ''] = sections[row.kind] ?? [];
  const restored = { ...section, restore_from: row.id };
  const configurations = layersOf(document).map((layer) =>
    isOf(row, layer) ? { ...layer, [part]: { ...Object(layer[part]), [member]: restored } } : layer,
  );
  return { ...document, configurations };
}

const byHand = (row: StoreRow): Failure =>
  new Failure('conflict', `${row.id} cannot be put back into stack ${row.stack_id} by itself`, {
    description: `Put restore_from: ${row.id} into the section of a database, cache or storage of a template, and apply it.`,
  });

async function restoredDocument(query: Query, { row, stack }: DescribedStore): Promise<Document> {
  if (stack.deleted_at !== null || stack.language !== 'v3') throw byHand(row);
  const { document } = await readDesiredVersion(query, stack);
  if (!layersOf(document).some((layer) => isOf(row, layer))) throw byHand(row);
  const made = await findVersion(query, stack.id, row.version_id);
  const section = sectionIn(document, row) ?? (made && sectionIn(made.document, row));
  if (!isObject(section)) throw byHand(row);
  return withSection(document, row, section);
}

/** Also if the one in use was made from this data: nothing would be restored, and the caller would not know. */
async function requireAbsent(query: Query, row: StoreRow): Promise<void> {
  const current = (await existingStores(query, row.stack_id)).find(
    ({ resource, state }) => resource === row.resource && state === 'in_use',
  );
  if (current) refuseInUse(current, row);
}

/** Updates the stack that kept data comes from, so that it has the data again. */
export async function restoreData(
  service: Service,
  actor: Actor,
  { id, conditions }: { id: string; conditions: WriteConditions },
): Promise<Submitted> {
  const found = await findKeptData(service, actor, id);
  const { row, stack } = found;
  const { query } = service.database;
  await requireOnStack(query, actor, { action: 'template:updateAlmTemplate', stackId: stack.id });
  requireKept(row);
  await requireAbsent(query, row);
  const text = JSON.stringify(await restoredDocument(query, found));
  return updateTemplate(service, actor, {
    stackId: stack.id,
    template: { text, format: 'json' },
    conditions,
  });
}
