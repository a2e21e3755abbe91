/** Names of what AWS charges for, in price sheets and in estimates. */

const named = (kind: string, type: string): string => `${kind} ${type || 'of an unknown type'}`;
const zones = (multiZone: boolean): string => (multiZone ? ' in two zones' : '');

export const items = {
  /** An hour on demand, Linux, shared hardware. */
  server: (type: string): string => named('server', type),
  spotServer: (type: string): string => named('spot server', type),
  /** A GiB for a month. */
  volume: (type: string): string => named('volume', type),
  /** One provisioned operation per second, for a month. */
  volumeIops: (type: string): string => named('IOPS of volume', type),
  /** An hour each. */
  publicAddress: 'public address',
  natGateway: 'NAT gateway',
  loadBalancer: (kind: string): string => named('load balancer', kind),
  /** An hour. `engine`: as RDS names it. */
  database: (engine: string, type: string, multiZone: boolean): string =>
    `${named(`${engine} database`, type)}${zones(multiZone)}`,
  /** A GiB for a month. */
  databaseStorage: (engine: string, type: string, multiZone: boolean): string =>
    `${named(`${engine} storage`, type)}${zones(multiZone)}`,
  /** An hour. */
  cacheNode: (engine: string, type: string): string => named(`${engine} node`, type),
  /** A month each. */
  secret: 'secret',
  alarm: 'alarm',
  /** A resource that this release knows nothing about. */
  resource: (type: string): string => named('resource', type),
} as const;
