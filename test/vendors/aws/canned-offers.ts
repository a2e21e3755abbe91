import type { Operation } from './canned-groups.ts';

/** What AWS offers. No simulator has these lists, so the answers are stubs in the shapes that AWS documents. */
export interface CannedOffers {
  /** Full versions by the name of the engine in AWS; those of caches too. */
  versions: Record<string, string[]>;
  /** Classes of databases with gp3 storage; `multi`: those that support a standby and replicas. */
  classes: Record<string, { multi: boolean }>;
  nodeTypes: string[];
  /** Regions with their opt-in status. */
  regions: Record<string, string>;
}

export const noOffers = (): CannedOffers => ({ versions: {}, classes: {}, nodeTypes: [], regions: {} });

/** Two entries a page. */
const paged = <T>(items: readonly T[], marker: string | undefined) => {
  const start = Number(marker ?? 0);
  const next = start + 2;
  return { items: items.slice(start, next), ...(next < items.length ? { Marker: String(next) } : {}) };
};

interface ListRequest {
  Engine: string;
  EngineVersion: string;
  Marker?: string;
}

export const cannedRds = ({ versions, classes }: CannedOffers): Record<string, Operation> => ({
  describeDBEngineVersions: ({ Engine, Marker }: ListRequest) => {
    const { items, ...more } = paged(versions[Engine] ?? [], Marker);
    return { DBEngineVersions: items.map((EngineVersion) => ({ Engine, EngineVersion })), ...more };
  },
  describeOrderableDBInstanceOptions: ({ Engine, EngineVersion, Marker }: ListRequest) => {
    const isKnown = versions[Engine]?.includes(EngineVersion) ?? false;
    const options = Object.entries(isKnown ? classes : {}).flatMap(([DBInstanceClass, { multi }]) =>
      ['io1', 'gp3'].map((StorageType) => ({
        DBInstanceClass,
        StorageType,
        MultiAZCapable: multi,
        ReadReplicaCapable: multi,
      })),
    );
    const { items, ...more } = paged(options, Marker);
    return { OrderableDBInstanceOptions: items, ...more };
  },
});

export const cannedElastiCache = ({ versions, nodeTypes }: CannedOffers): Record<string, Operation> => ({
  describeCacheEngineVersions: ({ Engine, Marker }: ListRequest) => {
    const { items, ...more } = paged(versions[Engine] ?? [], Marker);
    return { CacheEngineVersions: items.map((EngineVersion) => ({ Engine, EngineVersion })), ...more };
  },
  describeReservedCacheNodesOfferings: ({ Marker }: ListRequest) => {
    const { items, ...more } = paged(nodeTypes, Marker);
    return { ReservedCacheNodesOfferings: items.map((CacheNodeType) => ({ CacheNodeType })), ...more };
  },
});

export const cannedRegions = ({ regions }: CannedOffers): Record<string, Operation> => ({
  describeRegions: () => ({
    Regions: Object.entries(regions).map(([RegionName, OptInStatus]) => ({ RegionName, OptInStatus })),
  }),
});
