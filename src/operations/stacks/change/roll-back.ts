import { Failure, notFound } from '../../../basics/failure.ts';
import { newVersionId } from '../../../model/names.ts';
import type { Query } from '../../../store/database/database.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion, insertVersionSecrets, readVersionSecrets } from '../../../store/stacks/versions.ts';
import type { Vendor } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { findUpdatable, type Submitted, submitVersion } from '../submit/submit-document.ts';
import { vendorOf } from '../submit/vendor-access.ts';
import type { WriteConditions } from '../submit/write-conditions.ts';

export interface RollBackRequest {
  stackId: string;
  versionId: string;
  /** Resources that the vendor may leave as they are if it could not undo the last update. */
  skipResources?: readonly string[] | undefined;
  conditions?: WriteConditions | undefined;
}

/**
 * Submits a copy of an older version: its document, its secrets (sealed for the stack, not for a version) and its compiled
 * vendor document, so that the rollback restores exactly what existed.
 */
export async function rollBack(
  service: Service,
  actor: Actor,
  { stackId, versionId, skipResources = [], conditions }: RollBackRequest,
): Promise<Submitted> {
  const stack = await findUpdatable(service.database.query, actor, { stackId, language: 'v3' });
  const older = await findVersion(service.database.query, stackId, versionId);
  if (!older) throw notFound('Version', versionId);
  const { number: _, size: __, replaced_data: ___, ...copy } = older;
  const row = {
    ...copy,
    id: newVersionId(),
    created_by: nameOf(actor),
    created_at: service.clock.now(),
    skip_resources: skipResources,
  };
  const vendor = await vendorOf(service, stack);
  if (skipResources.length > 0) requireSkippable(stack, vendor);
  const { makesDatabasePasswords: passwordsFromVendor = false } = vendor;
  const version = {
    row,
    passwordsFromVendor,
    message: `${nameOf(actor)} asked to roll back to version ${versionId}${skipping(skipResources)}.`,
    keepSecrets: async (query: Query) =>
      insertVersionSecrets(query, row.id, await readVersionSecrets(query, versionId)),
  };
  const make = async (query: Query) => {
    // A concurrent update may have deleted it with its secrets, to keep to the quota.
    if (!(await findVersion(query, stackId, versionId))) throw notFound('Version', versionId);
    return version;
  };
  return submitVersion(service, actor, { stackId, language: 'v3', make, conditions });
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
