import type { Region } from '../../region.ts';
import { type Offer, readOffer, readPages } from './read-offer.ts';

/** One or two pages for an engine. Without deprecated versions. */
export const readDatabaseVersions = (region: Region, Engine: string): Promise<Offer<readonly string[]>> =>
  readOffer(region, `versions of ${Engine}`, async () => {
    const rds = await region.clients.rds();
    return readPages(async (Marker) => {
      const page = await rds.describeDBEngineVersions({
        Engine,
        MaxRecords: 100,
        ...(Marker ? { Marker } : {}),
      });
      return {
        items: page.DBEngineVersions?.flatMap(({ EngineVersion }) => EngineVersion ?? []),
        next: page.Marker,
      };
    });
  });

/** One way in which AWS sells a class. */
export interface ClassOption {
  type: string;
  storage: string;
  multiZone: boolean;
  replicas: boolean;
}

/** One or two pages for a version of an engine. */
export const readDatabaseClasses = (
  region: Region,
  Engine: string,
  EngineVersion: string,
): Promise<Offer<readonly ClassOption[]>> =>
  readOffer(region, `classes of ${Engine} ${EngineVersion}`, async () => {
    const rds = await region.clients.rds();
    return readPages(async (Marker) => {
      const page = await rds.describeOrderableDBInstanceOptions({
        Engine,
        EngineVersion,
        Vpc: true,
        MaxRecords: 1000,
        ...(Marker ? { Marker } : {}),
      });
      const items = page.OrderableDBInstanceOptions?.map((option) => ({
        type: option.DBInstanceClass ?? '',
        storage: option.StorageType ?? '',
        multiZone: option.MultiAZCapable ?? false,
        replicas: option.ReadReplicaCapable ?? false,
      }));
      return { items, next: page.Marker };
    });
  });
