import { Failure, notFound } from '../../../basics/failure.ts';
import { newVersionId } from '../../../model/names.ts';
import type { Query } from '../../../store/database/database.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import {
  findVersion,
  insertVersionSecrets,
  readDesiredVersion,
  readVersionSecrets,
  type VersionRow,
} from '../../../store/stacks/versions.ts';
import type { Vendor } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { type Preview, previewOf } from '../read/preview-template.ts';
import { compileForVendor, type NewVersion } from '../submit/new-version.ts';
import { restoredFrom } from '../submit/restore-data.ts';
import { findUpdatable, type Submitted, submitVersion } from '../submit/submit-document.ts';
import { vendorOf } from '../submit/vendor-access.ts';
import { choicesForUpdate, requireVersion, retryOnConflict } from '../submit/vendor-choices.ts';
import type { WriteConditions } from '../submit/write-conditions.ts';
import { broughtBack } from './bring-back.ts';
import { carryOver } from './carry-over.ts';

interface Returning {
  from: string;
  cause: string;
}

export interface RollBackRequest {
  stackId: string;
  versionId: string;
  /** Resources that the vendor may leave as they are if it could not undo the last update. */
  skipResources?: readonly string[] | undefined;
  /** `latest`, `empty`, or the id of kept data: for stores that the stack no longer has. */
  restore?: string | undefined;
  /** Nobody asked: the rollout of this version failed. */
  returning?: Returning | undefined;
  conditions?: WriteConditions | undefined;
}

/**
 * Submits a copy of an older version: its document, its secrets (sealed for the stack, not for a version) and its compiled
 * vendor document, so that the rollback restores exactly what existed; except what cannot go back.
 */
export const rollBack = (service: Service, actor: Actor, request: RollBackRequest): Promise<Submitted> =>
  retryOnConflict(async () => {
    const { stackId, versionId, conditions } = request;
    const stack = await findUpdatable(service.database.query, actor, { stackId, language: 'v3' });
    const { vendor, version } = await copyOf(service, actor, { stack, request });
    const make = async (query: Query, current: StackRow) => {
      requireVersion(current, stack.desired_version);
      // A concurrent update may have deleted it with its secrets, to keep to the quota.
      if (!(await findVersion(query, stackId, versionId))) throw notFound('Version', versionId);
      return withKeptData(query, version, { vendor, request });
    };
    return submitVersion(service, actor, { stackId, language: 'v3', make, conditions });
  });

/** What `rollBack` would do, or its refusal. Writes nothing. */
export async function previewRollBack(
  service: Service,
  actor: Actor,
  request: RollBackRequest,
): Promise<Preview> {
  const { query } = service.database;
  const { stackId } = request;
  const stack = await findUpdatable(query, actor, { stackId, language: 'v3' });
  const { vendor, version } = await copyOf(service, actor, { stack, request });
  const { row, notes = [] } = await withKeptData(query, version, {
    vendor,
    request: { ...request, restore: request.restore ?? 'empty' },
  });
  const size = JSON.stringify(row.document).length;
  return previewOf(service, actor, { stack, vendor, wanted: row, notes, size });
}

interface Kept {
  vendor: Vendor;
  request: RollBackRequest;
}

/** What the stack no longer has comes back with its kept data, or empty, as the caller says. */
async function withKeptData(
  query: Query,
  version: NewVersion,
  { vendor, request }: Kept,
): Promise<NewVersion> {
  const { stackId, restore } = request;
  const { chosen, notes } = await broughtBack(query, {
    stackId,
    vendor,
    document: version.row.vendor_document,
    now: version.row.created_at,
    restore,
  });
  return restoredFrom({ ...version, notes: [...(version.notes ?? []), ...notes] }, vendor, chosen);
}

interface Copied {
  stack: StackRow;
  request: RollBackRequest;
}

/** The version to submit, not stored yet. Not inside a transaction: the vendor may be asked. */
async function copyOf(
  service: Service,
  actor: Actor,
  { stack, request: { versionId, skipResources = [], returning } }: Copied,
): Promise<{ vendor: Vendor; version: NewVersion }> {
  const { query } = service.database;
  const older = await findVersion(query, stack.id, versionId);
  if (!older) throw notFound('Version', versionId);
  const vendor = await vendorOf(service, stack);
  if (skipResources.length > 0) requireSkippable(stack, vendor);
  const { copy, notes } = await olderVersion(service, { stack, vendor, older });
  const row = {
    ...copy,
    id: newVersionId(),
    created_by: nameOf(actor),
    created_at: service.clock.now(),
    skip_resources: skipResources,
    cause: returning?.cause ?? '',
    returned_from: returning?.from ?? null,
  };
  const version = {
    row,
    notes,
    passwordsFromVendor: vendor.makesDatabasePasswords ?? false,
    returning: returning && { ...returning, to: versionId },
    message: returning
      ? `Going back to version ${versionId}: version ${returning.from} failed.`
      : `${nameOf(actor)} asked to roll back to version ${versionId}${skipping(skipResources)}.`,
    keepSecrets: async (tx: Query) =>
      insertVersionSecrets(tx, row.id, await readVersionSecrets(tx, versionId)),
  };
  return { vendor, version };
}

interface Older {
  stack: StackRow;
  vendor: Vendor;
  older: VersionRow;
}

/** A copy of the older version, compiled again if something of it cannot go back. */
async function olderVersion(service: Service, { stack, vendor, older }: Older) {
  const { number: _, size: __, cancelled_at: ___, restored_data: ____, ...copy } = older;
  const current = await readDesiredVersion(service.database.query, stack);
  const carried = carryOver(older, current);
  if (!carried) return { copy, notes: [] };
  const { model, document, notes } = carried;
  const compiled = {
    model,
    document,
    secrets: new Map(),
    keptSecrets: [],
    locate: (path: string) => path,
  };
  const choices = await choicesForUpdate(service, stack, compiled);
  const vendorDocument = compileForVendor({ stackId: stack.id, compiled, vendor, choices });
  return { copy: { ...copy, model, document, vendor_document: vendorDocument }, notes };
}

const skipping = (resources: readonly string[]): string =>
  resources.length > 0 ? `, skipping ${resources.join(', ')} if the last update is still to be undone` : '';

/** Refused where nothing would be skipped: the caller expects it. The vendor refuses resources that it can undo. */
function requireSkippable({ id, status }: StackRow, { name, skipsResources = false }: Vendor): void {
  if (!skipsResources)
    throw new Failure('invalid_request', `Vendor ${name} cannot skip resources: it can undo every update`);
  if (status !== 'UPDATE_FAILED')
    throw new Failure('conflict', `Stack ${id} has no failed update, so there is nothing to skip`, {
      description: 'Roll back without skip_resources.',
    });
}
