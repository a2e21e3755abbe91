import { Failure } from '../../../basics/failure.ts';
import type { Compiled } from '../../../languages/language.ts';
import { compileTemplate, readPlacement } from '../../../languages/v3-template/compile.ts';
import type { Difference } from '../../../model/difference.ts';
import { newStackId } from '../../../model/names.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { findVersion, readVersionSecrets } from '../../../store/stacks/versions.ts';
import type { PlannedChange, Vendor, VendorDocument } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { requireCreation } from '../../access/permission.ts';
import { onVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { refuseDocument } from '../submit/refuse-document.ts';
import { refuseUnkeptSecrets } from '../submit/stack-secrets.ts';
import { findUpdatable } from '../submit/submit-document.ts';
import { chooseVendor, connectVendor, vendorOf } from '../submit/vendor-access.ts';
import { choicesForNew, choicesForUpdate, type Decided } from '../submit/vendor-choices.ts';
import { templateDifference } from './template-difference.ts';

export interface Preview {
  changes: readonly PlannedChange[];
  /** What the caller should know first, in sentences. */
  warnings: string[];
  /** Null for a new stack: there is nothing it could differ from. */
  difference: Difference | null;
}

/** What applying a template as a new stack would make, or the same refusal. Nothing is written. */
export async function previewNewStack(service: Service, actor: Actor, template: unknown): Promise<Preview> {
  const placement = readPlacement(template);
  const compiled = compileTemplate(template, placement.ok ? placement.value.region : 'unknown');
  if (!placement.ok || !compiled.ok)
    return refuseDocument([placement, compiled].flatMap((outcome) => (outcome.ok ? [] : outcome.problems)));
  const choice = await chooseVendor(service, actor, placement.value);
  const stackId = newStackId(actor.accountId, placement.value.region);
  requireCreation(actor, stackId);
  const decided = await choicesForNew(service, choice, compiled.value.model);
  const wanted = vendorDocument(choice.vendor, compiled.value, stackId, decided);
  refuseUnkeptSecrets(compiled.value, new Map());
  const changes = await choice.vendor.preview(null, wanted);
  return { changes, warnings: lossesOf(changes), difference: null };
}

/** What updating a stack with a template would do to it, or the same refusal. Nothing is written. */
export async function previewUpdate(
  service: Service,
  actor: Actor,
  stackId: string,
  template: unknown,
): Promise<Preview> {
  const { query } = service.database;
  const stack = await findUpdatable(query, actor, stackId, 'v3');
  const compiled = compileTemplate(template, stack.region);
  if (!compiled.ok) return refuseDocument(compiled.problems);
  const vendor = await vendorOf(service, stack);
  const decided = await choicesForUpdate(service, stack, compiled.value.model);
  const wanted = vendorDocument(vendor, compiled.value, stackId, decided);
  const current = await findVersion(query, stackId, stack.desired_version);
  if (!current) throw new Failure('internal', `Version ${stack.desired_version} is not in the store`);
  refuseUnkeptSecrets(compiled.value, await readVersionSecrets(query, current.id));
  const { changes, warnings } = await planned(service, stack, vendor, {
    before: current.vendor_document,
    wanted,
  });
  const { document } = current;
  return {
    changes,
    warnings: [...unsettled(stack), ...warnings, ...lossesOf(changes)],
    // An update ignores the vendor section, so it differs in nothing.
    difference: templateDifference(document, { ...compiled.value.document, vendor: document.vendor }),
  };
}

/** The cloud knows best; where it cannot say just now, the documents are compared. */
async function planned(
  service: Service,
  stack: StackRow,
  vendor: Vendor,
  { before, wanted }: { before: VendorDocument; wanted: VendorDocument },
): Promise<{ changes: readonly PlannedChange[]; warnings: string[] }> {
  const driver = await connectVendor(service, stack);
  if (!driver.forecast) return { changes: await vendor.preview(before, wanted), warnings: [] };
  const changes = await driver.forecast(onVendor(stack), wanted).catch(() => undefined);
  if (changes) return { changes, warnings: [] };
  const warning = 'The cloud could not be asked; the changes are told from the templates alone.';
  return { changes: await vendor.preview(before, wanted), warnings: [warning] };
}

function vendorDocument(
  vendor: Vendor,
  compiled: Compiled,
  stackId: string,
  decided: Decided,
): VendorDocument {
  const document = vendor.compile(compiled.model, stackId, decided);
  return document.ok ? document.value : refuseDocument(document.problems);
}

const unsettled = (stack: StackRow): string[] =>
  stack.settled_version === stack.desired_version
    ? []
    : [
        `The stack has not reached version ${stack.desired_version} yet; the changes are counted from that version.`,
      ];

const lossesOf = (changes: readonly PlannedChange[]): string[] =>
  changes
    .filter((change) => change.warning !== '')
    .map(
      ({ action, resource, resourceType, warning }) =>
        `${resourceType} ${resource} would be ${action === 'replace' ? 'replaced' : 'removed'}. ${warning}`,
    );
