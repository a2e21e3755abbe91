import { entryOf } from '../../../basics/entry-of.ts';
import type { PriceSheet } from '../../../model/cost.ts';
import { type OfferRow, openOfferFile } from './offer-file.ts';
import { offers } from './offers.ts';

interface Found {
  currency: string;
  prices: Map<string, number>;
  /** Items with two different prices: none of them is used. */
  ambiguous: Set<string>;
}

/** Prices of a whole region that do not depend on the amount used. Reservations are rows with a price of 0. */
const isUsable = (row: OfferRow): boolean =>
  row('TermType') === 'OnDemand' &&
  ['', 'AWS Region'].includes(row('Location Type')) &&
  ['', '0'].includes(row('StartingRange')) &&
  ['', 'Inf'].includes(row('EndingRange')) &&
  Number(row('PricePerUnit')) > 0;

function keep(found: Found, item: string, price: number): void {
  const known = found.prices.get(item);
  if (known !== undefined && known !== price) found.ambiguous.add(item);
  found.prices.set(item, price);
}

function keepRow(regions: Map<string, Found>, item: string, row: OfferRow): void {
  const region = row('Region Code');
  const currency = row('Currency');
  const found = regions.get(region) ?? { currency, prices: new Map(), ambiguous: new Set() };
  regions.set(region, found);
  if (currency === found.currency) keep(found, item, Number(row('PricePerUnit')));
}

/** Reads a price list file into one sheet for each of its regions; nothing if no template needs it. */
export async function* readSheets(chunks: AsyncIterable<Buffer | Uint8Array>): AsyncGenerator<PriceSheet> {
  const { offer, date, rows } = await openOfferFile(chunks);
  const itemOf = entryOf(offers, offer);
  if (!itemOf) return;
  const regions = new Map<string, Found>();
  for await (const row of rows) {
    const item = isUsable(row) ? itemOf(row) : undefined;
    if (item !== undefined) keepRow(regions, item, row);
  }
  for (const [region, { currency, prices, ambiguous }] of regions) {
    for (const item of ambiguous) prices.delete(item);
    if (region !== '') yield { region, offer, currency, date, prices: Object.fromEntries(prices) };
  }
}
