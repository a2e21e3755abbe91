import type { Cache, Database, StackModel } from '../../../model/stack-model.ts';
import { databaseEngines, databaseStorage, defaultDatabaseType } from '../catalog.ts';
import type { Choices, ChosenCache, ChosenDatabase, Offered } from '../choices.ts';
import * as names from '../names.ts';

/** Version, type and size of databases and caches. Existing ones keep theirs unless the model specifies another. */

type Kept<T> = T | undefined;

/** The choices for an existing database. With another engine it is a new database, and the old choices do not apply. */
export const existingDatabase = (
  { engine }: Database,
  kept: Kept<ChosenDatabase>,
): ChosenDatabase | undefined => (kept?.engine === engine ? kept : undefined);

/** The major version of a full version. AWS changes it only on request. */
export const majorOf = (engine: Database['engine'], version: string): string | undefined =>
  databaseEngines[engine].major.exec(version)?.[0];

/** The major version that the model asks for; null: the model asks for a full version, or for none. */
export function wantedMajor(
  { engine, engineVersion: requested }: Database,
  current: string | undefined,
): string | null {
  const wanted = requested ?? (current === undefined ? databaseEngines[engine].defaultVersion : null);
  if (wanted === null || majorOf(engine, wanted) !== wanted) return null;
  return current !== undefined && majorOf(engine, current) === wanted ? null : wanted;
}

/** A major version alone is valid too: AWS then takes its default minor version. */
const versionOf = (database: Database, current: Kept<string>, offered: Kept<string>): string => {
  const { engine, engineVersion: requested } = database;
  const major = wantedMajor(database, current);
  if (major !== null) return offered ?? major;
  const isMajor = requested !== null && majorOf(engine, requested) === requested;
  return (isMajor ? null : requested) ?? current ?? databaseEngines[engine].defaultVersion;
};

export function decideDatabase(
  database: Database,
  kept: Kept<ChosenDatabase>,
  offered: Offered = {},
): ChosenDatabase {
  const { engine, instanceType, storageGib } = database;
  const existing = existingDatabase(database, kept);
  const version = versionOf(database, existing?.version, offered.version);
  const changesMajor = existing && majorOf(engine, existing.version) !== majorOf(engine, version);
  return {
    engine,
    version,
    type: instanceType ?? existing?.type ?? offered.type ?? defaultDatabaseType(version),
    storageGib: Math.max(databaseStorage.minGib, storageGib),
    upgraded: changesMajor || existing?.upgraded || false,
  };
}

export const existingCache = ({ engine }: Cache, kept: Kept<ChosenCache>): ChosenCache | undefined =>
  kept?.engine === engine ? kept : undefined;

export function decideCache(cache: Cache, kept: Kept<ChosenCache>, offered: Offered = {}): ChosenCache {
  const { engine, name, nodeType } = cache;
  const existing = existingCache(cache, kept);
  const resource = kept && !existing ? names.cacheOf(engine, name) : kept?.resource;
  return {
    engine,
    version: existing?.version ?? offered.version ?? '',
    nodeType,
    ...(resource === undefined ? {} : { resource }),
  };
}

export const decideServices = (
  { databases, caches }: StackModel,
  { offered, ...kept }: Choices,
): Pick<Choices, 'databases' | 'caches'> => ({
  databases: Object.fromEntries(
    databases.map((each) => [
      each.name,
      decideDatabase(each, kept.databases[each.name], offered.databases[each.name]),
    ]),
  ),
  caches: Object.fromEntries(
    caches.map((each) => [each.name, decideCache(each, kept.caches[each.name], offered.caches[each.name])]),
  ),
});

/** The snapshots of stores that still exist. With another engine, a database is a new, empty one. */
export function keptRestored(
  { databases }: StackModel,
  kept: Pick<Choices, 'databases' | 'restored'>,
): Choices['restored'] {
  const changed = new Set(
    databases
      .filter((each) => kept.databases[each.name] && !existingDatabase(each, kept.databases[each.name]))
      .map(({ name }) => names.database(name)),
  );
  return Object.fromEntries(Object.entries(kept.restored).filter(([id]) => !changed.has(id)));
}
