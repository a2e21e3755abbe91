import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import type { PriceSheet } from '../../../../src/model/cost.ts';
import { readPriceList } from '../../../../src/vendors/aws/prices/price-list.ts';
import { readSheets } from '../../../../src/vendors/aws/prices/read-sheets.ts';
import {
  headText,
  offerText,
  rowText,
  server,
  usage,
  type WrittenRow,
  writeFiles,
} from './written-price-list.ts';

const all = async (sheets: AsyncIterable<PriceSheet>): Promise<PriceSheet[]> => {
  const list: PriceSheet[] = [];
  for await (const sheet of sheets) list.push(sheet);
  return list;
};

/** In chunks that end anywhere, also inside a character. */
async function* chunksOf(text: string, size = 7) {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const pricesOf = async (offer: string, rows: readonly WrittenRow[]): Promise<PriceSheet['prices']> =>
  (await all(readSheets(chunksOf(offerText(offer, rows)))))[0]?.prices ?? {};

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0)) await each();
});

const directoryWith = (files: Readonly<Record<string, string | Buffer>>): string => {
  const { directory, remove } = writeFiles(files);
  undo.push(remove);
  return directory;
};

/** Without what could be freed: when that happens is not up to the program. */
const memoryInUse = (): number => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
};

describe('a price list file (written by hand in the documented form)', () => {
  it('gives the plain on-demand price of a server, and none of its variants', async () => {
    const others: WrittenRow[] = [
      { TermType: 'Reserved' },
      { 'Operating System': 'Windows' },
      { Tenancy: 'Dedicated' },
      { 'Pre Installed S/W': 'SQL Std' },
      { CapacityStatus: 'AllocatedCapacityReservation' },
      { 'Location Type': 'AWS Local Zone' },
      { usageType: 'EUT1-UnusedBox:t3.micro' },
      { PricePerUnit: '0.0000000000' },
    ];
    const rows = [
      ...others.map((other) => server('t3.micro', '9.99', other)),
      server('t3.micro', '0.0110000000'),
    ];
    expect(await pricesOf('AmazonEC2', rows)).toEqual({ 'server t3.micro': 0.011 });
  });

  it('gives the prices of volumes, the NAT gateway, addresses and load balancers by their usage types', async () => {
    const ec2 = [
      usage('EUT1-EBS:VolumeUsage.gp3', '0.09'),
      usage('EU-EBS:VolumeUsage.piops', '0.14'),
      usage('EBS:VolumeP-IOPS.piops', '0.07'),
      usage('EUT1-EBS:VolumeP-IOPS.io2', '0.06'),
      usage('EUT1-EBS:VolumeP-IOPS.io2.tier2', '0.04'),
      usage('EUT1-EBS:VolumeUsage', '0.05'),
      usage('EUT1-EBS:SnapshotUsage', '0.05'),
      usage('EUT1-NatGateway-Hours', '0.05'),
      usage('EUT1-RegionalNatGateway-Hours', '0.06'),
      usage('EUT1-NatGateway-Bytes', '0.05'),
    ];
    expect(await pricesOf('AmazonEC2', ec2)).toEqual({
      'volume gp3': 0.09,
      'volume io1': 0.14,
      'IOPS of volume io1': 0.07,
      'IOPS of volume io2': 0.06,
      'volume standard': 0.05,
      'NAT gateway': 0.05,
    });
    const vpc = [usage('EUT1-PublicIPv4:InUseAddress', '0.005'), usage('EUT1-VpcEndpoint-Hours', '0.01')];
    expect(await pricesOf('AmazonVPC', vpc)).toEqual({ 'public address': 0.005 });
    const balancer = (name: string, price: string, kind = 'Load Balancer-Application') =>
      usage(name, price, { 'Product Family': kind });
    const elb = [
      balancer('EUT1-LoadBalancerUsage', '0.025'),
      balancer('TS-LoadBalancerUsage', '0.005'),
      balancer('EUT1-LCUUsage', '0.008'),
      balancer('EUT1-LoadBalancerUsage', '0.026', 'Load Balancer-Network'),
      balancer('EUT1-LoadBalancerUsage', '0.028', 'Load Balancer'),
    ];
    expect(await pricesOf('AWSELB', elb)).toEqual({
      'load balancer application': 0.025,
      'load balancer network': 0.026,
    });
  });

  it('gives the prices of databases by engine and zones, without the surcharges for old versions', async () => {
    const database = (usageType: string, price: string, zones: string, engine = 'PostgreSQL') =>
      usage(usageType, price, {
        'Product Family': usageType.includes('Storage') ? 'Database Storage' : 'Database Instance',
        'Instance Type': usageType.includes('Storage') ? '' : 'db.t4g.micro',
        'Deployment Option': zones,
        'Database Engine': engine,
      });
    const rows = [
      database('EUT1-InstanceUsage:db.t4g.micro', '0.018', 'Single-AZ'),
      database('EUT1-ExtendedSupport-InstanceUsage:db.t4g.micro', '0.1', 'Single-AZ'),
      database('EUT1-Multi-AZUsage:db.t4g.micro', '0.036', 'Multi-AZ'),
      database('EUT1-Multi-AZClusterUsage:db.t4g.micro', '0.05', 'Multi-AZ (readable standbys)'),
      database('EUT1-RDS:GP3-Storage', '0.13', 'Single-AZ'),
      database('EUT1-RDS:Multi-AZ-GP3-Storage', '0.26', 'Multi-AZ'),
      database('EUT1-RDS:GP2-Storage', '0.12', 'Single-AZ'),
      database('EUT1-InstanceUsage:db.t4g.micro', '0.017', 'Single-AZ', 'MySQL'),
      database('EUT1-InstanceUsage:db.t4g.micro', '0.9', 'Single-AZ', 'Oracle'),
    ];
    expect(await pricesOf('AmazonRDS', rows)).toEqual({
      'postgres database db.t4g.micro': 0.018,
      'postgres database db.t4g.micro in two zones': 0.036,
      'postgres storage gp3': 0.13,
      'postgres storage gp3 in two zones': 0.26,
      'mysql database db.t4g.micro': 0.017,
    });
  });

  it('gives the prices of cache nodes, secrets and alarms', async () => {
    const node = (name: string, price: string, engine: string) =>
      usage(name, price, { 'Cache Engine': engine, 'Instance Type': 'cache.t4g.micro' });
    const caches = [
      node('EUT1-NodeUsage:cache.t4g.micro', '0.018', 'Redis'),
      node('EUT1-ExtendedSupportYr3-NodeUsage:cache.t4g.micro', '0.029', 'Redis'),
      node('EUT1-NodeUsage:cache.t4g.micro', '0.0144', 'Valkey'),
      node('EUT1-NodeUsage:cache.t4g.micro', '0.019', 'Memcached'),
    ];
    expect(await pricesOf('AmazonElastiCache', caches)).toEqual({
      'redis node cache.t4g.micro': 0.018,
      'memcached node cache.t4g.micro': 0.019,
    });
    expect(await pricesOf('AWSSecretsManager', [usage('EUT1-AWSSecretsManager-Secrets', '0.4')])).toEqual({
      secret: 0.4,
    });
    expect(await pricesOf('AmazonCloudWatch', [usage('EUT1-CW:AlarmMonitorUsage', '0.1')])).toEqual({
      alarm: 0.1,
    });
  });

  it('gives no price for what has two, and none for what depends on the amount used', async () => {
    const rows = [
      server('t3.micro', '0.01'),
      server('t3.micro', '0.02'),
      server('t3.small', '0.03', { EndingRange: '100' }),
      server('t3.large', '0.04'),
    ];
    expect(await pricesOf('AmazonEC2', rows)).toEqual({ 'server t3.large': 0.04 });
  });

  it('is a sheet for each region, with the currency and the day of publication', async () => {
    const rows = [
      server('t3.micro', '0.01'),
      server('t3.micro', '0.1', { 'Region Code': 'cn-test-1', Currency: 'CNY' }),
    ];
    expect(await all(readSheets(chunksOf(offerText('AmazonEC2', rows))))).toMatchObject([
      { region: 'eu-test-1', offer: 'AmazonEC2', currency: 'USD', date: '2026-09-04' },
      { region: 'cn-test-1', currency: 'CNY', prices: { 'server t3.micro': 0.1 } },
    ]);
  });

  it('of an offer that no template needs gives nothing', async () => {
    expect(await all(readSheets(chunksOf(offerText('AmazonS3', [usage('x', '1')]))))).toEqual([]);
  });

  it('is read without keeping it: a hundred thousand rows of reservations need no more memory than a few', async () => {
    const reserved = `${rowText(server('t3.micro', '0.5', { TermType: 'Reserved' }))}\n`;
    const block = Buffer.from(reserved.repeat(1000));
    async function* large() {
      yield Buffer.from(`${headText('AmazonEC2')}\n`);
      for (let blocks = 0; blocks < 100; blocks += 1) yield block;
      yield Buffer.from(rowText(server('t3.micro', '0.01')));
    }
    const before = memoryInUse();
    const [sheet] = await all(readSheets(large()));
    expect(sheet?.prices).toEqual({ 'server t3.micro': 0.01 });
    expect(block.length * 100).toBeGreaterThan(18_000_000);
    expect(memoryInUse() - before).toBeLessThan(5_000_000);
  });

  it.each([
    ['is not a price list file', 'hello\n'.repeat(40)],
    ['is empty', ''],
    ['has no publication date', offerText('AmazonEC2', []).replace('2026-09-04T23:11:17Z', 'soon')],
    ['lacks a column', offerText('AmazonEC2', []).replace('"Region Code"', '"Place"')],
    ['has a row that is cut off', `${headText('AmazonEC2')}\n"SKU1","OnDemand"\n`],
    ['has a line without an end', `${headText('AmazonEC2')}\n${'x'.repeat(1_100_000)}`],
  ])('that %s is refused with its name', async (_, text) => {
    const from = directoryWith({ 'odd.csv': text });
    await expect(all(readPriceList({ from, regions: [] }))).rejects.toThrow(/Cannot read .*odd\.csv\. It /);
  });
});
