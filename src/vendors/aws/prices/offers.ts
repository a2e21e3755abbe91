import { entryOf } from '../../../basics/entry-of.ts';
import { databaseEngines } from '../catalog.ts';
import { items } from './items.ts';
import type { OfferRow } from './offer-file.ts';

/** Which rows of which price list file are the prices of which items. */

/** The item that a row prices; undefined: one that no template uses. */
type ItemOf = (row: OfferRow) => string | undefined;

/** Usage types start with a code of the region, except in the oldest region. `TS-` and others are different products. */
const regionCode = /^(?:[A-Z]{2,4}\d-|EU-)/;
const usageOf = (row: OfferRow): string => row('usageType').replace(regionCode, '');

const has = (row: OfferRow, wanted: Readonly<Record<string, string>>): boolean =>
  Object.entries(wanted).every(([column, value]) => row(column) === value);

const plainServer = {
  'Operating System': 'Linux',
  Tenancy: 'Shared',
  'Pre Installed S/W': 'NA',
  CapacityStatus: 'Used',
} as const;

/** Volume types by the end of their usage type. */
const volumeUsages: Readonly<Record<string, string>> = {
  'EBS:VolumeUsage': items.volume('standard'),
  'EBS:VolumeUsage.gp2': items.volume('gp2'),
  'EBS:VolumeUsage.gp3': items.volume('gp3'),
  'EBS:VolumeUsage.piops': items.volume('io1'),
  'EBS:VolumeUsage.io2': items.volume('io2'),
  'EBS:VolumeP-IOPS.piops': items.volumeIops('io1'),
  'EBS:VolumeP-IOPS.io2': items.volumeIops('io2'),
};

const serverItem: ItemOf = (row) => {
  const isServer = row('Product Family').startsWith('Compute Instance') && has(row, plainServer);
  return isServer && usageOf(row).startsWith('BoxUsage') ? items.server(row('Instance Type')) : undefined;
};

const ec2Item: ItemOf = (row) => {
  const usage = usageOf(row);
  if (usage === 'NatGateway-Hours') return items.natGateway;
  return entryOf(volumeUsages, usage) ?? serverItem(row);
};

const balancerKinds: Readonly<Record<string, string>> = {
  'Load Balancer-Application': 'application',
  'Load Balancer-Network': 'network',
};

const balancerItem: ItemOf = (row) => {
  const kind = balancerKinds[row('Product Family')];
  return kind !== undefined && usageOf(row) === 'LoadBalancerUsage' ? items.loadBalancer(kind) : undefined;
};

/** The price list writes PostgreSQL where RDS has postgres. */
const engineNames = new Map(
  Object.entries(databaseEngines).map(([engine, { name }]) => [engine.toLowerCase(), name]),
);

/** The usage type tells the price of a database from surcharges for old versions. */
const databaseUsages: Readonly<Record<string, RegExp>> = {
  'Single-AZ': /^(InstanceUsage:|RDS:GP3-Storage$)/,
  'Multi-AZ': /^(Multi-AZUsage:|RDS:Multi-AZ-GP3-Storage$)/,
};

const databaseItem: ItemOf = (row) => {
  const engine = engineNames.get(row('Database Engine').toLowerCase());
  const deployment = row('Deployment Option');
  if (engine === undefined || !databaseUsages[deployment]?.test(usageOf(row))) return undefined;
  const multiZone = deployment === 'Multi-AZ';
  return row('Product Family') === 'Database Storage'
    ? items.databaseStorage(engine, 'gp3', multiZone)
    : items.database(engine, row('Instance Type'), multiZone);
};

const cacheItem: ItemOf = (row) => {
  const engine = row('Cache Engine').toLowerCase();
  const isNode = ['redis', 'memcached'].includes(engine) && usageOf(row).startsWith('NodeUsage:');
  return isNode ? items.cacheNode(engine, row('Instance Type')) : undefined;
};

/** One item by its usage type. */
const single =
  (usage: string, item: string): ItemOf =>
  (row) =>
    usageOf(row) === usage ? item : undefined;

/** The price list files that are needed, by their offer codes. */
export const offers: Readonly<Record<string, ItemOf>> = {
  AmazonEC2: ec2Item,
  AmazonVPC: single('PublicIPv4:InUseAddress', items.publicAddress),
  AWSELB: balancerItem,
  AmazonRDS: databaseItem,
  AmazonElastiCache: cacheItem,
  AWSSecretsManager: single('AWSSecretsManager-Secrets', items.secret),
  AmazonCloudWatch: single('CW:AlarmMonitorUsage', items.alarm),
};
