import { type CostEstimate, estimateCost } from '../../../model/cost.ts';
import type { Vendor, VendorDocument } from '../../../vendors/vendor.ts';
import { knownSheets } from '../../prices/price-sheets.ts';
import type { Service } from '../../service.ts';

/** What a stack costs per month. */
export type Cost =
  | { kind: 'free' | 'simulated' | 'unknown'; notes: readonly string[] }
  | (CostEstimate & { kind: 'estimated'; notes: readonly string[] });

interface Priced {
  vendor: Vendor;
  region: string;
  /** Null: there is no stack yet. */
  before: VendorDocument | null;
  after: VendorDocument;
}

const incomplete =
  'Some prices are not known to this server, so the cost is at least what is shown. Its operator can load the current price list: almanac prices refresh';

/** Estimates the cost before and after a change. */
export async function costOfChange(
  service: Service,
  { vendor, region, before, after }: Priced,
): Promise<Cost> {
  const { name, billing } = vendor;
  if (!billing) return { kind: 'unknown', notes: [`The prices of vendor ${name} are not known.`] };
  if (billing.kind !== 'priced') return { kind: billing.kind, notes: [billing.note] };
  const sheets = await knownSheets(service, { name, billing }, region);
  const estimate = estimateCost(sheets, before && billing.billables(before), billing.billables(after));
  const isIncomplete = [estimate.before, estimate.after].some(
    (amount) => amount && amount.unknown !== 'none',
  );
  const notes = [...(isIncomplete ? [incomplete] : []), ...billing.assumptions];
  return { kind: 'estimated', ...estimate, notes };
}
