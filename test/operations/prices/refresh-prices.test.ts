import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownSheets, pricedVendor, refreshPrices } from '../../../src/operations/prices/price-sheets.ts';
import { costOfChange } from '../../../src/operations/stacks/read/estimate-cost.ts';
import { billing } from '../../../src/vendors/aws/prices/billing.ts';
import type { Vendors } from '../../../src/vendors/index.ts';
import type { Vendor } from '../../../src/vendors/vendor.ts';
import { offerText, server, usage, writeFiles } from '../../vendors/aws/prices/written-price-list.ts';
import { World } from '../../world.ts';

let world: World;
const undo: (() => void)[] = [];
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  for (const each of undo.splice(0)) each();
  await world.database.close();
});

/** The parts of the AWS vendor that this needs; nothing here asks the cloud. */
const aws = { name: 'aws', billing } as unknown as Vendor;
const service = () => ({ ...world.service, vendors: new Map([['aws', aws]]) as Vendors });

const directoryWith = (files: Readonly<Record<string, string>>): string => {
  const { directory, remove } = writeFiles(files);
  undo.push(remove);
  return directory;
};

const here = { 'Region Code': 'us-east-1' };
const priceOf = async (item: string): Promise<number | undefined> => {
  const sheets = await knownSheets(service(), pricedVendor(service(), 'aws'), 'us-east-1');
  return sheets.find(({ prices }) => item in prices)?.prices[item];
};

const document = {
  template: {
    Resources: {
      Server: {
        Type: 'AWS::EC2::Instance',
        Properties: {
          InstanceType: 't3.micro',
          BlockDeviceMappings: [{ Ebs: { VolumeType: 'gp3', VolumeSize: 10 } }],
        },
      },
    },
  },
};

describe('refreshing the prices', () => {
  it('replaces the sheets that the price list has, and keeps the others, also the shipped ones', async () => {
    const address = await priceOf('public address');
    const from = directoryWith({
      'a.csv': offerText('AmazonEC2', [server('t3.micro', '0.5', here)], '2026-11-01'),
    });
    expect(await refreshPrices(service(), 'aws', { from, regions: [] })).toMatchObject([
      { region: 'us-east-1', offer: 'AmazonEC2', date: '2026-11-01' },
    ]);
    expect(await priceOf('server t3.micro')).toBe(0.5);
    expect(await priceOf('public address')).toBe(address);
    // Not in the new file, so not known any more: an old price next to new ones would mislead.
    expect(await priceOf('volume gp3')).toBeUndefined();
  });

  it('combines several files of the same offer and region, and has the older of their dates', async () => {
    const from = directoryWith({
      'a.csv': offerText('AmazonEC2', [server('t3.micro', '0.5', here)], '2026-11-02'),
      'b.csv': offerText('AmazonEC2', [usage('EBS:VolumeUsage.gp3', '0.25', here)], '2026-11-01'),
    });
    await refreshPrices(service(), 'aws', { from, regions: [] });
    const cost = await costOfChange(service(), {
      vendor: aws,
      region: 'us-east-1',
      before: null,
      after: document,
    });
    expect(cost).toMatchObject({
      kind: 'estimated',
      date: '2026-11-01',
      after: { atMinimum: 730 * 0.5 + 10 * 0.25, unknown: 'none' },
    });
  });

  it('changes nothing if a file cannot be read to its end', async () => {
    const before = await priceOf('server t3.micro');
    const from = directoryWith({
      'a.csv': offerText('AmazonEC2', [server('t3.micro', '0.5', here)]),
      'b.csv': `${offerText('AmazonVPC', [])}"SKU","OnDemand"\n`,
    });
    await expect(refreshPrices(service(), 'aws', { from, regions: [] })).rejects.toThrow(/b\.csv/);
    expect(await priceOf('server t3.micro')).toBe(before);
  });

  it('is refused if the list has nothing for the regions, and for a vendor without a price list', async () => {
    const from = directoryWith({ 'a.csv': offerText('AmazonEC2', [server('t3.micro', '0.5', here)]) });
    await expect(refreshPrices(service(), 'aws', { from, regions: ['eu-west-1'] })).rejects.toThrow(
      /no prices/,
    );
    await expect(refreshPrices(world.service, 'sandbox', { from, regions: [] })).rejects.toThrow(
      /no price list/,
    );
  });

  it('asks a server for the regions that have stacks of the vendor, and for a name if there are none', async () => {
    const asked = { from: 'http://127.0.0.1:1', regions: [] };
    await expect(refreshPrices(service(), 'aws', asked)).rejects.toThrow(/--region/);
    await world.create();
    await world.database.query.updateTable('credentials').set({ driver: 'aws' }).execute();
    await expect(refreshPrices(service(), 'aws', asked)).rejects.toThrow(/Cannot reach/);
  });
});

describe('the cost of a change', () => {
  const costIn = (region: string) =>
    costOfChange(service(), { vendor: aws, region, before: document, after: document });

  it('in a region without prices is unknown, and says how to load them', async () => {
    const cost = await costIn('sa-east-1');
    expect(cost).toMatchObject({
      kind: 'estimated',
      date: null,
      after: { unknown: 'all' },
      difference: { unknown: 'none' },
    });
    expect(cost.notes[0]).toMatch(/at least .* almanac prices refresh/);
  });

  it('that is fully known has only the assumptions as notes', async () => {
    const cost = await costIn('us-east-1');
    expect(cost).toMatchObject({ kind: 'estimated', after: { unknown: 'none' } });
    expect(cost.notes.join(' ')).toMatch(/730 hours.*minimum size.*Traffic.*Spot.*free/);
    expect(cost.notes.join(' ')).not.toMatch(/refresh/);
  });

  it('of a vendor without prices is unknown', async () => {
    const { billing: _, ...vendor } = aws;
    const request = { vendor, region: 'x', before: null, after: document };
    expect(await costOfChange(service(), request)).toMatchObject({ kind: 'unknown' });
  });
});
