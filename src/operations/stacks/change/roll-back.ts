import { notFound } from '../../../basics/failure.ts';
import { newVersionId } from '../../../model/names.ts';
import type { Query } from '../../../store/database/database.ts';
import { findVersion, insertVersionSecrets, readVersionSecrets } from '../../../store/stacks/versions.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { findUpdatable, type Submitted, submitVersion } from '../submit/submit-document.ts';
import { vendorOf } from '../submit/vendor-access.ts';
import type { WriteConditions } from '../submit/write-conditions.ts';

export interface RollBackRequest {
  stackId: string;
  versionId: string;
  conditions?: WriteConditions | undefined;
}

/**
 * Submits a copy of an older version: its document, its secrets (sealed for the stack, not for a version) and its compiled
 * vendor document, so that the rollback restores exactly what existed.
 */
export async function rollBack(
  service: Service,
  actor: Actor,
  { stackId, versionId, conditions }: RollBackRequest,
): Promise<Submitted> {
  const stack = await findUpdatable(service.database.query, actor, { stackId, language: 'v3' });
  const older = await findVersion(service.database.query, stackId, versionId);
  if (!older) throw notFound('Version', versionId);
  const { number: _, size: __, ...copy } = older;
  const row = { ...copy, id: newVersionId(), created_by: nameOf(actor), created_at: service.clock.now() };
  const { makesDatabasePasswords: passwordsFromVendor = false } = await vendorOf(service, stack);
  const version = {
    row,
    passwordsFromVendor,
    message: `${nameOf(actor)} asked to roll back to version ${versionId}.`,
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
