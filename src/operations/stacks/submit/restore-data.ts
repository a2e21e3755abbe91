import { Failure } from '../../../basics/failure.ts';
import type { Restore } from '../../../languages/language.ts';
import { storeName } from '../../../model/names.ts';
import { findStore, type StoreRow, storesOfStack } from '../../../store/data/stores.ts';
import type { Query } from '../../../store/database/database.ts';
import { findStackById, type StackRow } from '../../../store/stacks/stacks.ts';
import type { RestoredData } from '../../../store/stacks/versions.ts';
import type { Vendor, VendorDocument } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { maySee } from '../../access/permission.ts';
import { refuseDocument } from '../../documents/refuse-document.ts';
import type { NewVersion } from './new-version.ts';

/** Where a stack is, and whose it is. */
export type Place = Pick<StackRow, 'account_id' | 'vendor' | 'region' | 'credential_id'>;

const refuse = (path: string, message: string): never => refuseDocument([{ path, message }]);

/** A vendor may keep data for some time only, and may not show it at once. */
export const isRestorable = ({ state, reference, kept_until: until }: StoreRow, now: number): boolean =>
  state === 'kept' && reference !== null && (until === null || until > now);

/** A problem with kept data as the source of a store; undefined: it can be restored there. */
function problemOf(kept: StoreRow, origin: StackRow, place: Place): string | undefined {
  if (kept.state !== 'kept' || kept.reference === null)
    return `${kept.id} is not kept: it is ${kept.state.replace('_', ' ')}.`;
  const differs = (['vendor', 'region', 'credential_id'] as const).find(
    (member) => origin[member] !== place[member],
  );
  return differs === undefined
    ? undefined
    : `${kept.id} is in another ${differs.replace('credential_id', 'credential')}: ${origin[differs]}.`;
}

/** The one store of a document that a restore is for. */
function resourceFor(vendor: Vendor, document: VendorDocument, { kind, name, path }: Restore): string {
  const found = vendor
    .storesOf(document)
    .filter((store) => store.kind === kind && store.name === storeName(name));
  const [only] = found;
  if (only && found.length === 1) return only.resource;
  return refuse(
    path,
    found.length === 0
      ? 'there is nothing here that keeps data.'
      : `it names one store, and there are ${found.length} of them: one for each server.`,
  );
}

export const cannotRestore = (vendor: Vendor): string =>
  `vendor ${vendor.name} cannot restore kept data; its documentation says how to do it by hand.`;

export interface Restoring {
  /** Data of a stack that the caller may not see is unknown to it. */
  actor: Actor;
  vendor: Vendor;
  place: Place;
  /** Null: the stack is new. */
  stackId: string | null;
  restores: readonly Restore[];
}

/**
 * The kept data that stores of a document are to be made from, by resource. Once restored, the instruction has no effect any more;
 * a store with other data is never replaced by it.
 */
export async function restoredIn(
  query: Query,
  document: VendorDocument,
  { actor, vendor, place, stackId, restores }: Restoring,
): Promise<Map<string, StoreRow>> {
  if (restores.length === 0) return new Map();
  const existing = stackId === null ? [] : await storesOfStack(query, stackId);
  const chosen = new Map<string, StoreRow>();
  for (const restore of restores) {
    const kept = await findStore(query, place.account_id, restore.from);
    const origin = kept && (await findStackById(query, kept.stack_id));
    if (!kept || !origin || !maySee(actor, origin))
      return refuse(restore.path, `unknown kept data ${restore.from}; "alm data list" shows it.`);
    const resource = resourceFor(vendor, document, restore);
    const current = existing.findLast((row) => row.resource === resource && row.state === 'in_use');
    if (current?.restored_from === kept.id) continue;
    if (current) refuseInUse(current, kept);
    if (kept.kind !== restore.kind)
      refuse(restore.path, `${kept.id} is a ${kept.kind}, not a ${restore.kind}.`);
    const problem = problemOf(kept, origin, place);
    if (problem !== undefined) refuse(restore.path, problem);
    if (!vendor.restore) refuse(restore.path, cannotRestore(vendor));
    chosen.set(resource, kept);
  }
  return chosen;
}

/** The version, with stores made from kept data where its document asks for that. */
export const withRestored = async (
  query: Query,
  version: NewVersion,
  restoring: Restoring,
): Promise<NewVersion> =>
  restoredFrom(version, restoring.vendor, await restoredIn(query, version.row.vendor_document, restoring));

export const refuseInUse = (current: StoreRow, kept: StoreRow): never => {
  throw new Failure(
    'conflict',
    `${current.resource_type} ${current.resource} (${current.store_id}) is in use`,
    {
      description:
        `It is not replaced by ${kept.id}. Remove it first with an update (?data=keep or ?data=delete), then restore; ` +
        'or leave out restore_from.',
    },
  );
};

export const restoredSentences = (chosen: ReadonlyMap<string, StoreRow>): string[] =>
  [...chosen].map(
    ([resource, kept]) => `${kept.resource_type} ${resource} is restored from ${kept.id}. ${kept.kept_where}`,
  );

export function restoredDocument(
  vendor: Vendor,
  document: VendorDocument,
  chosen: ReadonlyMap<string, StoreRow>,
): VendorDocument {
  if (chosen.size === 0) return document;
  const references = new Map([...chosen].map(([resource, kept]) => [resource, kept.reference ?? '']));
  return vendor.restore?.(document, references) ?? document;
}

/** The same version, with these resources made from kept data. */
export function restoredFrom(
  version: NewVersion,
  vendor: Vendor,
  chosen: ReadonlyMap<string, StoreRow>,
): NewVersion {
  if (chosen.size === 0) return version;
  const restored: RestoredData = Object.fromEntries([...chosen].map(([resource, { id }]) => [resource, id]));
  return {
    ...version,
    notes: [...(version.notes ?? []), ...restoredSentences(chosen)],
    row: {
      ...version.row,
      vendor_document: restoredDocument(vendor, version.row.vendor_document, chosen),
      restored_data: restored,
    },
  };
}
