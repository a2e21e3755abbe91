import { Failure } from '../../basics/failure.ts';
import type { PriceSheet } from '../../model/cost.ts';
import { listPriceSheets, regionsInUse, savePriceSheet } from '../../store/stacks/price-sheets.ts';
import type { Billing, PriceListSource } from '../../vendors/billing.ts';
import type { Vendor } from '../../vendors/vendor.ts';
import type { Service } from '../service.ts';

type Priced = Extract<Billing, { kind: 'priced' }>;

const keyOf = ({ region, offer }: PriceSheet): string => `${region} ${offer}`;

/** The stored sheets of a vendor, and the shipped ones where none is stored. */
export async function knownSheets(
  { database }: Pick<Service, 'database'>,
  vendor: { name: string; billing: Priced },
  region?: string,
): Promise<PriceSheet[]> {
  const stored = await listPriceSheets(database.query, vendor.name, region);
  const keys = new Set(stored.map(keyOf));
  const shipped = vendor.billing.shipped.filter(
    (sheet) => (region === undefined || sheet.region === region) && !keys.has(keyOf(sheet)),
  );
  return [...stored, ...shipped];
}

/** The vendor, or a refusal if it has no price list. */
export function pricedVendor({ vendors }: Pick<Service, 'vendors'>, name: string) {
  const { billing } = vendors.get(name) ?? ({} as Partial<Vendor>);
  if (billing?.kind !== 'priced') throw new Failure('invalid_request', `Vendor ${name} has no price list.`);
  return { name, billing };
}

/** Sheets of the same region and offer, as from several files, become one. Its date is the older one. */
function merge(sheets: Map<string, PriceSheet>, sheet: PriceSheet): void {
  const known = sheets.get(keyOf(sheet));
  const prices = { ...known?.prices, ...sheet.prices };
  const date = known && known.date < sheet.date ? known.date : sheet.date;
  sheets.set(keyOf(sheet), { ...sheet, date, prices });
}

/**
 * Reads a vendor's price list and stores what it has. Sheets that the list lacks stay as they are. All or nothing: if the list
 * cannot be read to its end, nothing changes.
 */
export async function refreshPrices(
  service: Pick<Service, 'database' | 'vendors'>,
  vendorName: string,
  { from, regions }: PriceListSource,
): Promise<PriceSheet[]> {
  const { name, billing } = pricedVendor(service, vendorName);
  const isDirectory = from !== undefined && !/^https?:\/\//.test(from);
  const inUse = () => regionsInUse(service.database.query, name);
  const wanted = isDirectory || regions.length > 0 ? regions : await inUse();
  const sheets = new Map<string, PriceSheet>();
  for await (const sheet of billing.readPriceList({ from, regions: wanted })) merge(sheets, sheet);
  if (sheets.size === 0)
    throw new Failure(
      'invalid_request',
      'The price list has no prices for these regions. Nothing was changed.',
    );
  await service.database.transaction(async (query) => {
    for (const sheet of sheets.values()) await savePriceSheet(query, name, sheet);
  });
  return [...sheets.values()];
}
