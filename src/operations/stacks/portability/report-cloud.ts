import { succeed } from '../../../basics/problem.ts';
import type { Compiled } from '../../../languages/language.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Remark } from '../../../vendors/portability.ts';
import type { Vendor, VendorAccess } from '../../../vendors/vendor.ts';
import type { Actor } from '../../access/access.ts';
import { askVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { isSetUp, restrictionFor } from '../submit/supported-vendors.ts';
import type { TakeTurn } from './becomes.ts';
import { pathBefore } from './leave-out.ts';
import { defaultRemarks, openRemarks } from './open-remarks.ts';
import type { Origin, Place } from './place.ts';
import { type Result, type Row, rowsOf, worstOf } from './rows.ts';
import { type Choose, tryCloud } from './try-cloud.ts';

export interface CloudReport {
  vendor: string;
  region: string;
  /** Whether the cloud was asked. */
  asked: boolean;
  result: Result;
  rows: Row[];
  /** Sentences about the cloud as a whole. */
  notes: string[];
}

export interface Target {
  vendor: Vendor;
  place: Place;
  /** Null: the cloud is not asked. */
  access: VendorAccess | null;
}

interface ReportInput {
  compiled: Compiled;
  origin: Origin;
  target: Target;
  takeTurn: TakeTurn;
}

export async function reportOn(
  service: Service,
  actor: Actor,
  { compiled, origin, target, takeTurn }: ReportInput,
): Promise<CloudReport> {
  const { vendor, place, access } = target;
  const model = modelFor(compiled.model, origin, target);
  const report = { vendor: vendor.name, region: place.region, asked: access !== null };
  const notes = await notesOn(service, actor, target);
  if (!access && vendor.choose && !vendor.assume)
    return { ...report, result: 'unknown', rows: [], notes: [...notes, onlyWithCredential] };
  const trial = await tryCloud(vendor, model, { choose: chooserOf(service, target), takeTurn });
  const before = pathBefore(model, trial.accepted);
  const open = vendor.choose && !access ? openRemarks(trial.accepted, vendor.catalog) : [];
  const rows = rowsOf({
    model,
    locate: compiled.locate,
    trial: { ...trial, changes: [...movedRegion(place), ...trial.changes] },
    remarks: {
      default: defaultRemarks(model, vendor.catalog),
      at_submit: open.map(({ path, message }) => ({ path: before(path), message })),
    },
  });
  return { ...report, result: worstOf(rows), rows, notes };
}

const onlyWithCredential =
  'This vendor cannot say anything without its cloud. Name one of your credentials for it.';

/** What a document says about its own cloud has no meaning on another one. */
function modelFor(model: StackModel, origin: Origin, { vendor, place }: Target): StackModel {
  const { vendorOptions, ...others } = model;
  const keeps = vendorOptions !== undefined && vendor.name === origin.vendor;
  return { ...others, region: place.region, ...(keeps ? { vendorOptions } : {}) };
}

const chooserOf =
  (service: Service, { vendor, access }: Target): Choose =>
  async (model) => {
    const choose = vendor.choose?.bind(vendor);
    if (!choose) return succeed(undefined);
    if (access) return askVendor(service, access.accountId, () => choose(access, model, null));
    return vendor.assume?.(model) ?? succeed(undefined);
  };

const movedRegion = ({ moved }: Place): Remark[] =>
  moved === '' ? [] : [{ path: 'region', message: moved }];

async function notesOn(
  service: Service,
  { accountId }: Actor,
  { vendor, access }: Target,
): Promise<string[]> {
  const restricted = await restrictionFor(service, vendor.name, accountId);
  return [
    ...(vendor.isSimulated ? ['The cloud is simulated: none of this exists.'] : []),
    ...(restricted === undefined ? [] : [`This account cannot use the vendor: ${restricted}`]),
    ...(isSetUp(vendor)
      ? []
      : [`Cannot be used until the operator of this server lists clouds in ${vendor.authUrls?.setting}.`]),
    ...(vendor.choose && !access
      ? ['The cloud was not asked. What it offers, and its quotas, are known when the template is submitted.']
      : []),
  ];
}
