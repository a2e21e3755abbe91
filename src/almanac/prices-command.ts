import { parseArgs } from 'node:util';
import { realClock } from '../basics/clock.ts';
import type { Config } from '../basics/config.ts';
import type { PriceSheet } from '../model/cost.ts';
import { knownSheets, pricedVendor, refreshPrices } from '../operations/prices/price-sheets.ts';
import { withDatabase } from './backup-commands.ts';
import { makeService } from './make-service.ts';
import { refuseLostKey } from './start.ts';

const options = {
  json: { type: 'boolean' },
  from: { type: 'string' },
  region: { type: 'string', multiple: true },
} as const;

export const pricesHelp = `Usage:
  almanac prices show           list the known prices by region, with their dates
  almanac prices refresh [--from <directory or URL>] [--region <region>]…
                                read the price list of AWS, for the cost in previews

Without --from, the price list is downloaded from AWS: some hundred megabytes for each region, of which a few kilobytes are kept.
Without --region, these are the regions that have AWS stacks. A host without internet access can pass a directory: download the CSV
files of the price list on another host, under any names, plain or compressed (.csv.gz), and copy them. All servers with the same
database use the new prices at once. Both commands print JSON with --json.`;

/** The only vendor with a price list so far. */
const vendor = 'aws';

const present = ({ region, offer, currency, date, prices }: PriceSheet) => ({
  region,
  offer,
  currency,
  date,
  prices: Object.keys(prices).length,
});

function print(sheets: readonly PriceSheet[], asJson: boolean): void {
  const lines = sheets
    .map(present)
    .map(
      ({ region, offer, currency, date, prices }) =>
        `${region.padEnd(16)}${offer.padEnd(20)}${date.padEnd(12)}${currency}  ${prices} prices`,
    );
  const text = asJson ? JSON.stringify(sheets.map(present), null, 2) : lines.join('\n');
  process.stdout.write(`${text}\n`);
}

export async function runPrices(config: Config, args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [verb, ...more] = positionals;
  if ((verb !== 'show' && verb !== 'refresh') || more.length > 0)
    throw new Error('Usage: almanac prices <show|refresh>. Run: almanac prices --help');
  await withDatabase(config, async (database) => {
    await refuseLostKey(config, database);
    const service = makeService({ config, database, clock: realClock });
    const { json = false, from, region: regions = [] } = values;
    const read = () => refreshPrices(service, vendor, { from, regions });
    print(verb === 'show' ? await knownSheets(service, pricedVendor(service, vendor)) : await read(), json);
  });
}
