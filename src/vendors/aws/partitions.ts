import type { Partition } from './permissions/scopes.ts';

/** One region of each partition that every account has: it knows the keys of its partition, and the other regions. */
export const homeRegions: Readonly<Record<Partition, string>> = {
  aws: 'us-east-1',
  'aws-cn': 'cn-north-1',
  'aws-us-gov': 'us-gov-west-1',
};

export const partitionOf = (region: string): Partition => {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
};

export const homeOf = (region: string): string => homeRegions[partitionOf(region)];
