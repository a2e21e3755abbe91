import type { PriceSheet } from '../../model/cost.ts';
import type { Query } from '../database/database.ts';
import { JsonColumn } from '../database/json-column.ts';

const pricesColumn = new JsonColumn<PriceSheet['prices']>('price_sheets.prices');

/** Replaces the sheet of the same region and offer. */
export async function savePriceSheet(query: Query, vendor: string, sheet: PriceSheet): Promise<void> {
  const { currency, date } = sheet;
  const content = { currency, date, prices: pricesColumn.format(sheet.prices) };
  await query
    .insertInto('price_sheets')
    .values({ vendor, region: sheet.region, offer: sheet.offer, ...content })
    .onConflict((conflict) => conflict.columns(['vendor', 'region', 'offer']).doUpdateSet(content))
    .execute();
}

/** The sheets of one region, or of all. */
export async function listPriceSheets(query: Query, vendor: string, region?: string): Promise<PriceSheet[]> {
  const rows = await query
    .selectFrom('price_sheets')
    .selectAll()
    .where('vendor', '=', vendor)
    .$if(region !== undefined, (select) => select.where('region', '=', region ?? ''))
    .orderBy('region')
    .orderBy('offer')
    .execute();
  return rows.map(({ prices, region: place, offer, currency, date }) => ({
    region: place,
    offer,
    currency,
    date,
    prices: pricesColumn.parse(prices, `${place} ${offer}`),
  }));
}

/** The regions in which a vendor has stacks. */
export async function regionsInUse(query: Query, driver: string): Promise<string[]> {
  const rows = await query
    .selectFrom('stacks')
    .innerJoin('credentials', (join) =>
      join
        .onRef('credentials.account_id', '=', 'stacks.account_id')
        .onRef('credentials.vendor', '=', 'stacks.vendor')
        .onRef('credentials.id', '=', 'stacks.credential_id'),
    )
    .select('stacks.region')
    .distinct()
    .where('credentials.driver', '=', driver)
    .where('stacks.deleted_at', 'is', null)
    .orderBy('stacks.region')
    .execute();
  return rows.map(({ region }) => region);
}
