import type { Compiled } from '../../../languages/language.ts';
import { newVersionId } from '../../../model/names.ts';
import type { Query } from '../../../store/database/database.ts';
import { addEvents, insertNumbered, type NewEvent } from '../../../store/stacks/events.ts';
import { insertVersion } from '../../../store/stacks/versions/insert-version.ts';
import type { Vendor, VendorChoices, VendorDocument } from '../../../vendors/vendor.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { refuseModel } from '../../documents/refuse-document.ts';
import { keepTracked } from '../../registry/track/keep-tracked.ts';
import { keepSecretUses } from '../../secrets/used-secrets.ts';
import type { Service } from '../../service.ts';
import { keepDatabasePassword } from './database-password.ts';
import { reviseLayers } from './layer-revisions.ts';
import { limitVersions } from './limit-versions.ts';
import { keepVersionSecrets } from './stack-secrets.ts';

export interface NewVersion {
  row: Parameters<typeof insertVersion>[1];
  /** Describes the request in the stack's events. */
  message: string;
  /** Stores the version's secrets; `previous` is the id of the version it replaces. */
  keepSecrets(query: Query, previous: string | null): Promise<void>;
  /** Further sentences for the stack's events. */
  notes?: readonly string[];
  /** The version that failed, and the one that this is a copy of, if the stack goes back by itself. */
  returning?: { from: string; to: string; cause: string } | undefined;
  /** Agents redeploy even if their containers do not change: those of all layers, or of these. */
  redeploy?: boolean | readonly string[];
  /** The vendor generates the databases' passwords, so Almanac does not. */
  passwordsFromVendor?: boolean;
}

export interface CompileRequest {
  stackId: string;
  compiled: Compiled;
  vendor: Vendor;
  choices: VendorChoices | undefined;
}

/** Compiles for the vendor, or refuses the document with all its problems. */
export function compileForVendor({ stackId, compiled, vendor, choices }: CompileRequest): VendorDocument {
  const document = vendor.compile(compiled.model, stackId, choices);
  return document.ok ? document.value : refuseModel(compiled, document.problems);
}

/**
 * Makes a version, not yet stored. `action` completes the sentence "<user> asked to …". The document is compiled for the
 * vendor now, so that the request itself fails if the cloud cannot express it.
 */
export function newVersion(
  service: Service,
  actor: Actor,
  { action, ...request }: CompileRequest & { action: string },
): NewVersion {
  const { stackId, compiled, vendor } = request;
  const row = {
    id: newVersionId(),
    stack_id: stackId,
    document: compiled.document,
    model: compiled.model,
    vendor_document: compileForVendor(request),
    created_by: nameOf(actor),
    created_at: service.clock.now(),
  };
  return {
    row,
    notes: vendor.notes?.(row.vendor_document) ?? [],
    message: `${nameOf(actor)} asked to ${action}.`,
    passwordsFromVendor: vendor.makesDatabasePasswords ?? false,
    keepSecrets: (query, previous) =>
      keepVersionSecrets(service, query, { stackId, versionId: row.id, previous, compiled }),
  };
}

/** As many as `eventsOfRequest` returns. */
export const countEventsOfRequest = ({ notes = [] }: NewVersion): number => 1 + notes.length;

/** What the events of the stack say about the request. */
function eventsOfRequest(
  { clock }: Service,
  { row, message, notes = [] }: NewVersion,
  status: 'CREATE_IN_PROGRESS' | 'UPDATE_IN_PROGRESS',
): NewEvent[] {
  const common = { at: clock.now(), kind: 'request' as const, versionId: row.id };
  return [{ ...common, status, message }, ...notes.map((note) => ({ ...common, message: note }))];
}

/**
 * Stores a version with its secrets, layer revisions and events. `previous`: the version it replaces; null for the first, whose
 * events the row of the new stack has counted.
 */
export async function keepVersion(
  service: Service,
  query: Query,
  { version, previous }: { version: NewVersion; previous: string | null },
): Promise<void> {
  const { row, redeploy = false, passwordsFromVendor = false } = version;
  const stackId = row.stack_id;
  await insertVersion(query, row);
  await version.keepSecrets(query, previous);
  await keepSecretUses(service, query, row);
  await keepDatabasePassword(service, query, {
    version: row,
    generate: !passwordsFromVendor,
    isFirst: previous === null,
  });
  await reviseLayers(service, query, { version: row, redeploy });
  await keepTracked(service, query, row);
  if (previous === null) {
    const events = eventsOfRequest(service, version, 'CREATE_IN_PROGRESS');
    return insertNumbered(query, [{ stackId, last: events.length, events }]);
  }
  await addEvents(query, stackId, eventsOfRequest(service, version, 'UPDATE_IN_PROGRESS'));
  await limitVersions(service, query, { stackId, newest: row.id });
}
