import { at } from '../../../../basics/problem.ts';
import type { Cache, StackModel } from '../../../../model/stack-model.ts';
import { cacheEngines } from '../../catalog.ts';
import type { Choices, ChosenCache } from '../../choices.ts';
import { existingCache } from '../../layout/versions.ts';
import type { Region } from '../../region.ts';
import { type Answered, nothing } from './databases.ts';
import { nearTypes, newestFirst } from './near.ts';
import { type Offer, readOffer, readPages } from './read-offer.ts';

/** One page for an engine. */
const readCacheVersions = (region: Region, Engine: string): Promise<Offer<readonly string[]>> =>
  readOffer(region, `versions of ${Engine}`, async () => {
    const elastiCache = await region.clients.elastiCache();
    return readPages(async (Marker) => {
      const page = await elastiCache.describeCacheEngineVersions({ Engine, ...(Marker ? { Marker } : {}) });
      const items = page.CacheEngineVersions?.flatMap(({ EngineVersion }) => EngineVersion ?? []);
      return { items, next: page.Marker };
    });
  });

const oneYear = '31536000';

/**
 * No call lists the node types that a region has. AWS sells reservations for most of them, so this list is the closest. A
 * family that it lacks may still exist; a family that it has is complete. Two or three pages for an engine.
 */
const readReservableTypes = (region: Region, ProductDescription: string): Promise<Offer<readonly string[]>> =>
  readOffer(region, `reservable nodes of ${ProductDescription}`, async () => {
    const elastiCache = await region.clients.elastiCache();
    return readPages(async (Marker) => {
      const page = await elastiCache.describeReservedCacheNodesOfferings({
        ProductDescription,
        Duration: oneYear,
        MaxRecords: 100,
        ...(Marker ? { Marker } : {}),
      });
      const items = page.ReservedCacheNodesOfferings?.flatMap(({ CacheNodeType }) => CacheNodeType ?? []);
      return { items, next: page.Marker };
    });
  });

/** Asks about caches that the stack does not have yet, and about other node types. */
export async function askForCaches(
  region: Region,
  { caches }: StackModel,
  kept: Choices['caches'],
): Promise<Map<string, Answered>> {
  const answers = caches.map(async (cache, index): Promise<[string, Answered]> => {
    const existing = existingCache(cache, kept[cache.name]);
    if (existing && isSameType(cache, existing)) return [cache.name, nothing];
    const [version, type] = await Promise.all([
      existing ? {} : askForVersion(region, cache),
      askForNodeType(region, cache, at('caches', index)),
    ]);
    return [cache.name, { offered: version, ...type }];
  });
  return new Map(await Promise.all(answers));
}

/** A cache of an earlier release has no stored node type. AWS may have stopped listing its type, so it is not asked about. */
const isSameType = ({ nodeType }: Cache, existing: ChosenCache): boolean =>
  (existing.nodeType ?? nodeType) === nodeType;

/** Without an answer, AWS takes its default version. */
async function askForVersion(region: Region, { engine }: Cache): Promise<{ version?: string }> {
  const { value: versions = [] } = await readCacheVersions(region, engine);
  const { major } = cacheEngines[engine];
  const [version] = newestFirst(versions.filter((each) => each.startsWith(`${major}.`)));
  return version === undefined ? {} : { version };
}

const familyOf = (type: string): string => type.split('.').slice(0, -1).join('.');

async function askForNodeType(
  region: Region,
  { engine, nodeType }: Cache,
  path: string,
): Promise<Omit<Answered, 'offered'>> {
  const { value: types, reason } = await readReservableTypes(region, engine);
  if (!types) {
    const note = `Node type ${nodeType} could not be checked in ${region.name}, so AWS may refuse it later. ${reason}`;
    return { problems: [], notes: [note] };
  }
  if (types.includes(nodeType)) return { problems: [], notes: [] };
  const near = nearTypes(nodeType, types).join(', ');
  if (!types.some((type) => familyOf(type) === familyOf(nodeType))) {
    const note = `AWS lists no node type ${nodeType} for ${engine} in ${region.name} and may refuse it. It lists ${near}.`;
    return { problems: [], notes: [note] };
  }
  const message = `AWS does not offer node type ${nodeType} for ${engine} in ${region.name}. Use one of ${near}.`;
  return { problems: [{ path: at(path, 'nodeType'), message }], notes: [] };
}
