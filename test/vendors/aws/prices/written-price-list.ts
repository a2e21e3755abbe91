import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Price list files written by hand, in the form that AWS documents for its CSV files. The prices are made up: no test
 * depends on real ones.
 */

const columns = [
  'SKU',
  'OfferTermCode',
  'RateCode',
  'TermType',
  'PriceDescription',
  'EffectiveDate',
  'StartingRange',
  'EndingRange',
  'Unit',
  'PricePerUnit',
  'Currency',
  'Product Family',
  'serviceCode',
  'Location Type',
  'Instance Type',
  'Tenancy',
  'Operating System',
  'Database Engine',
  'Deployment Option',
  'Cache Engine',
  'usageType',
  'CapacityStatus',
  'Pre Installed S/W',
  'Region Code',
] as const;

export type WrittenRow = Partial<Record<(typeof columns)[number], string>>;

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;

const defaults: WrittenRow = {
  TermType: 'OnDemand',
  PriceDescription: 'a price "with" quotes, and a comma',
  StartingRange: '0',
  EndingRange: 'Inf',
  Currency: 'USD',
  'Location Type': 'AWS Region',
  'Region Code': 'eu-test-1',
};

export const rowText = (row: WrittenRow): string =>
  columns.map((column) => quoted({ ...defaults, ...row }[column] ?? '')).join(',');

export const headText = (offer: string, date = '2026-09-04'): string =>
  [
    '"FormatVersion","v1.0"',
    '"Disclaimer","Written by hand for tests. Not prices of AWS."',
    `"Publication Date","${date}T23:11:17Z"`,
    '"Version","20260904231117"',
    `"OfferCode","${offer}"`,
    columns.map(quoted).join(','),
  ].join('\n');

export const offerText = (offer: string, rows: readonly WrittenRow[], date?: string): string =>
  `${[headText(offer, date), ...rows.map(rowText)].join('\n')}\n`;

export const server = (type: string, price: string, more: WrittenRow = {}): WrittenRow => ({
  'Product Family': 'Compute Instance',
  'Instance Type': type,
  Unit: 'Hrs',
  PricePerUnit: price,
  Tenancy: 'Shared',
  'Operating System': 'Linux',
  'Pre Installed S/W': 'NA',
  CapacityStatus: 'Used',
  usageType: `EUT1-BoxUsage:${type}`,
  ...more,
});

export const usage = (usageType: string, price: string, more: WrittenRow = {}): WrittenRow => ({
  usageType,
  PricePerUnit: price,
  ...more,
});

/** A directory with the files, and how to remove it. */
export function writeFiles(files: Readonly<Record<string, string | Buffer>>) {
  const directory = mkdtempSync(join(tmpdir(), 'price-list-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
