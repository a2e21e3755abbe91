import { withCallLimit } from '../../../basics/calls/call-limit.ts';
import type { StoreToConfirm } from '../../../basics/failure.ts';
import { fatesOfStack } from '../../../data/at-vendor.ts';
import type { Difference } from '../../../model/difference.ts';
import { newStackId } from '../../../model/names.ts';
import type { Query } from '../../../store/database/database.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { readDesiredVersion, readVersionSecrets } from '../../../store/stacks/versions.ts';
import {
  type PlannedChange,
  stackOnVendor,
  type Vendor,
  type VendorDocument,
} from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { requireCreation } from '../../access/permission.ts';
import { limitOf } from '../../ask-vendor.ts';
import type { TemplateText } from '../../documents/read-template.ts';
import { openSecretWarnings } from '../../secrets/open-secret-warnings.ts';
import type { Service } from '../../service.ts';
import { compileChangedTemplate, compileNewTemplate } from '../submit/apply-template.ts';
import { holdsData, toConfirm } from '../submit/guard-data.ts';
import { compileForVendor } from '../submit/new-version.ts';
import { type Restoring, restoredDocument, restoredIn, restoredSentences } from '../submit/restore-data.ts';
import { refuseUnkeptSecrets } from '../submit/stack-secrets.ts';
import { findUpdatable, placeOf } from '../submit/submit-document.ts';
import { connectVendor, selectVendor, vendorOf } from '../submit/vendor-access.ts';
import { choicesForNew, choicesForUpdate } from '../submit/vendor-choices.ts';
import { type Cost, costOfChange } from './estimate-cost.ts';

export interface Preview {
  changes: readonly PlannedChange[];
  /** Sentences the caller should read first. */
  warnings: string[];
  /** Stores of data that it removes or replaces. */
  data: readonly StoreToConfirm[];
  /** Null for a new stack, which has nothing to differ from. */
  difference: Difference | null;
  /** Per month. */
  cost: Cost;
}

/** Previews a new stack, or refuses the template as `applyTemplate` would. Writes nothing. */
export async function previewNewStack(
  service: Service,
  actor: Actor,
  template: TemplateText,
): Promise<Preview> {
  const { query } = service.database;
  const { placement, compiled } = await compileNewTemplate(service, actor, template);
  const selected = await selectVendor(service, actor, { placement, language: 'v3' });
  const { vendor } = selected;
  const stackId = newStackId(actor.accountId, placement.region);
  requireCreation(actor, stackId);
  const choices = await choicesForNew(service, selected, compiled);
  const document = compileForVendor({ stackId, compiled, vendor, choices });
  const place = placeOf(actor, selected, placement);
  const restoring = { actor, vendor, place, stackId: null, restores: compiled.restores ?? [] };
  const { wanted, sentences } = await withRestores(query, document, restoring);
  refuseUnkeptSecrets(compiled, new Map());
  const changes = await vendor.preview(null, wanted);
  const { region } = placement;
  const cost = await costOfChange(service, { vendor, region, before: null, after: wanted });
  const notes = vendor.notes?.(wanted) ?? [];
  const openSecrets = openSecretWarnings(compiled.model);
  const warnings = [...notes, ...sentences, ...openSecrets, ...warningsOf(changes)];
  return { changes, warnings, data: [], difference: null, cost };
}

/** The document that a submission would store, with sentences about what is restored. */
async function withRestores(query: Query, document: VendorDocument, restoring: Restoring) {
  const chosen = await restoredIn(query, document, restoring);
  return {
    wanted: restoredDocument(restoring.vendor, document, chosen),
    sentences: restoredSentences(chosen),
  };
}

/** Previews an update, or refuses the template as `updateTemplate` would. Writes nothing. */
export async function previewUpdate(
  service: Service,
  actor: Actor,
  { stackId, template }: { stackId: string; template: TemplateText },
): Promise<Preview> {
  const { query } = service.database;
  const stack = await findUpdatable(query, actor, { stackId, language: 'v3' });
  const compiled = await compileChangedTemplate(service, { actor, stack, template });
  const vendor = await vendorOf(service, stack);
  const choices = await choicesForUpdate(service, stack, compiled);
  const compiledDocument = compileForVendor({ stackId, compiled, vendor, choices });
  const restoring = { actor, vendor, place: stack, stackId, restores: compiled.restores ?? [] };
  const { wanted, sentences } = await withRestores(query, compiledDocument, restoring);
  refuseUnkeptSecrets(compiled, await readVersionSecrets(query, stack.desired_version));
  const row = { document: compiled.document, vendor_document: wanted };
  const notes = [...(vendor.notes?.(wanted) ?? []), ...sentences, ...openSecretWarnings(compiled.model)];
  return previewOf(service, actor, { stack, vendor, wanted: row, notes, size: template.text.length });
}

interface Previewed {
  stack: StackRow;
  vendor: Vendor;
  wanted: { document: object; vendor_document: VendorDocument };
  notes: readonly string[];
  /** Of the text of the wanted document. */
  size: number;
}

/** What a version would change. */
export async function previewOf(
  service: Service,
  actor: Actor,
  { stack, vendor, wanted: { document: template, vendor_document: wanted }, notes, size }: Previewed,
): Promise<Preview> {
  const current = await readDesiredVersion(service.database.query, stack);
  const { document, vendor_document: before } = current;
  const plan = await planUpdate(service, { stack, vendor, before, wanted });
  const { changes } = plan;
  // An update ignores the vendor section, so it never differs there.
  const after = { ...template, vendor: document['vendor'] };
  return {
    changes,
    warnings: [
      ...unsettled(stack, plan),
      ...notes,
      ...plan.data.map(({ sentence }) => sentence),
      ...plan.warnings,
      ...warningsOf(changes),
    ],
    data: plan.data,
    difference: await service.documents.run('differ', {
      input: { before: document, after },
      size: current.size + size,
      caller: actor.accountId,
    }),
    cost: await costOfChange(service, { vendor, region: stack.region, before, after: wanted }),
  };
}

interface PlannedUpdate {
  stack: StackRow;
  vendor: Vendor;
  before: VendorDocument;
  wanted: VendorDocument;
}

interface UpdatePlan {
  changes: readonly PlannedChange[];
  warnings: string[];
  /** Stores of data that they remove or replace. */
  data: readonly StoreToConfirm[];
  /** What the changes are relative to: what the cloud has, or the document of the current version. */
  from: 'cloud' | 'document';
}

/** Asks the cloud for its plan; compares the documents if it cannot answer. */
export async function planUpdate(
  service: Service,
  { stack, vendor, before, wanted }: PlannedUpdate,
): Promise<UpdatePlan> {
  const { query } = service.database;
  const fates = await fatesOfStack(query, { stack, vendor, after: wanted });
  const data = fates.filter(holdsData).map(toConfirm);
  const driver = await connectVendor(service, stack);
  const changes = await withCallLimit(limitOf(service, stack.account_id), async () =>
    driver.forecast?.(stackOnVendor(stack), wanted),
  ).catch(() => undefined);
  if (changes) return { changes, data, warnings: [], from: 'cloud' };
  const warning = 'The cloud could not be reached; the changes are computed from the templates alone.';
  return {
    changes: await vendor.preview(before, wanted),
    data,
    warnings: driver.forecast ? [warning] : [],
    from: 'document',
  };
}

function unsettled(stack: StackRow, { from }: UpdatePlan): string[] {
  if (stack.settled_version === stack.desired_version) return [];
  const base = from === 'cloud' ? 'what is there now' : 'that version';
  return [
    `The stack has not reached version ${stack.desired_version} yet; the changes are relative to ${base}.`,
  ];
}

const verbs = { add: 'added', change: 'changed', replace: 'replaced', remove: 'removed' } as const;

const warningsOf = (changes: readonly PlannedChange[]): string[] =>
  changes
    .filter((change) => change.warning !== '')
    .map(
      ({ action, resource, resourceType, warning }) =>
        `${resourceType} ${resource} would be ${verbs[action]}. ${warning}`,
    );
