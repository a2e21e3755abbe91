import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { PriceSheet } from '../../../../src/model/cost.ts';
import { readPriceList } from '../../../../src/vendors/aws/prices/price-list.ts';
import { offerText, server, writeFiles } from './written-price-list.ts';

const all = async (sheets: AsyncIterable<PriceSheet>): Promise<PriceSheet[]> => {
  const list: PriceSheet[] = [];
  for await (const sheet of sheets) list.push(sheet);
  return list;
};

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0)) await each();
});

const directoryWith = (files: Readonly<Record<string, string | Buffer>>): string => {
  const { directory, remove } = writeFiles(files);
  undo.push(remove);
  return directory;
};

describe('a directory with price list files', () => {
  it('may have any names and compressed files, and gives the regions asked for, or all', async () => {
    const here = server('t3.micro', '0.01');
    const there = server('t3.micro', '0.02', { 'Region Code': 'ap-test-1' });
    const from = directoryWith({
      'any name.csv': offerText('AmazonEC2', [here]),
      'other.csv.gz': gzipSync(offerText('AmazonEC2', [there])),
      'notes.txt': 'not a price list',
    });
    const regionsOf = async (regions: string[]) =>
      (await all(readPriceList({ from, regions }))).map(({ region }) => region);
    expect(await regionsOf([])).toEqual(['eu-test-1', 'ap-test-1']);
    expect(await regionsOf(['ap-test-1'])).toEqual(['ap-test-1']);
  });

  it('without any is refused, and so is a path that does not exist', async () => {
    await expect(all(readPriceList({ from: directoryWith({}), regions: [] }))).rejects.toThrow(/no \.csv/);
    await expect(all(readPriceList({ from: '/no/such/place', regions: [] }))).rejects.toThrow(/neither/);
  });
});

describe('the price list of AWS (a stand-in that serves files written by hand)', () => {
  const serve = async (files: Readonly<Record<string, string>>): Promise<string> => {
    const web = createServer((request, response) => {
      const content = files[request.url ?? ''];
      response.writeHead(content === undefined ? 404 : 200).end(content ?? '');
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    undo.push(() => new Promise((resolve) => web.close(resolve)));
    return `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  };
  const offers = [
    'AmazonEC2',
    'AmazonVPC',
    'AWSELB',
    'AmazonRDS',
    'AmazonElastiCache',
    'AWSSecretsManager',
    'AmazonCloudWatch',
  ];
  const regionIndex = (offer: string) => `/offers/v1.0/aws/${offer}/current/region_index.json`;
  const index = {
    offers: Object.fromEntries(offers.map((offer) => [offer, { currentRegionIndexUrl: regionIndex(offer) }])),
  };
  const files = {
    '/offers/v1.0/aws/index.json': JSON.stringify(index),
    ...Object.fromEntries(offers.map((offer) => [regionIndex(offer), '{"regions":{}}'])),
    [regionIndex('AmazonEC2')]: JSON.stringify({
      regions: { 'eu-test-1': { currentVersionUrl: '/offers/v1.0/aws/AmazonEC2/1/eu-test-1/index.json' } },
    }),
    '/offers/v1.0/aws/AmazonEC2/1/eu-test-1/index.csv': offerText('AmazonEC2', [server('t3.micro', '0.01')]),
  };

  it('is followed from its index to the CSV file of each offer in the region', async () => {
    const from = await serve(files);
    expect(await all(readPriceList({ from, regions: ['eu-test-1'] }))).toMatchObject([
      { region: 'eu-test-1', offer: 'AmazonEC2', prices: { 'server t3.micro': 0.01 } },
    ]);
    expect(await all(readPriceList({ from, regions: ['xx-test-1'] }))).toEqual([]);
  });

  it('must be asked for regions by name, and says how to do without internet access when it cannot be reached', async () => {
    const from = await serve(files);
    await expect(all(readPriceList({ from, regions: [] }))).rejects.toThrow(/--region/);
    const gone = await serve({});
    await expect(all(readPriceList({ from: gone, regions: ['eu-test-1'] }))).rejects.toThrow(/status 404/);
    await expect(all(readPriceList({ from: 'http://127.0.0.1:1', regions: ['eu-test-1'] }))).rejects.toThrow(
      /--from <directory>/,
    );
  });
});
