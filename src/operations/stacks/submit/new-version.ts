import type { Compiled } from '../../../languages/language.ts';
import { newVersionId } from '../../../model/names.ts';
import type { Query } from '../../../store/database/database.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { insertVersion, type NewVersionRow } from '../../../store/stacks/versions.ts';
import type { Vendor } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { keepDatabasePassword } from './database-password.ts';
import { reviseLayers } from './layer-revisions.ts';
import { refuseDocument } from './refuse-document.ts';
import { keepVersionSecrets } from './stack-secrets.ts';
import type { Decided } from './vendor-choices.ts';

export interface NewVersion {
  row: NewVersionRow;
  /** What was asked for, for the stack's events. */
  message: string;
  /** Keeps the version's secrets; `before` is the version it takes over from. */
  keepSecrets(query: Query, before: string | null): Promise<void>;
  /** Its agents deploy anew, also when nothing about their containers changes. */
  deploysAnew?: boolean;
  /** Where the vendor makes up the databases' passwords, Almanac does not. */
  passwordsFromVendor?: boolean;
}

/** Compiled for the vendor at once: what a cloud cannot express is refused now, not when the cloud is asked. */
export function newVersion(
  service: Service,
  actor: Actor,
  stackId: string,
  {
    compiled,
    vendor,
    decided,
    asked,
  }: { compiled: Compiled; vendor: Vendor; decided: Decided; asked: string },
): NewVersion {
  const vendorDocument = vendor.compile(compiled.model, stackId, decided);
  if (!vendorDocument.ok) return refuseDocument(vendorDocument.problems);
  const row = {
    id: newVersionId(),
    stack_id: stackId,
    document: compiled.document,
    model: compiled.model,
    vendor_document: vendorDocument.value,
    created_by: nameOf(actor),
    created_at: service.clock.now(),
  };
  return {
    row,
    message: `${nameOf(actor)} asked to ${asked}.`,
    passwordsFromVendor: vendor.makesDatabasePasswords ?? false,
    keepSecrets: (query, before) =>
      keepVersionSecrets(service, query, { stackId, id: row.id, before }, compiled),
  };
}

/** Writes a version down with all that belongs to it. `before`: the version it takes over from; null for the first. */
export async function keepVersion(
  service: Service,
  query: Query,
  version: NewVersion,
  before: string | null,
): Promise<void> {
  const { row, message, deploysAnew = false, passwordsFromVendor = false } = version;
  await insertVersion(query, row);
  await version.keepSecrets(query, before);
  await keepDatabasePassword(service, query, row, { makeOne: !passwordsFromVendor });
  await reviseLayers(service, query, row, deploysAnew);
  const status = before === null ? 'CREATE_IN_PROGRESS' : 'UPDATE_IN_PROGRESS';
  const request = { at: service.clock.now(), kind: 'request', status, message, versionId: row.id } as const;
  await addEvents(query, row.stack_id, [request]);
}
