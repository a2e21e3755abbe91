import type { Cache, Database, StackModel } from '../../../model/stack-model.ts';
import { cacheEngines, databaseEngines, databaseStorage, defaultDatabaseType } from '../catalog.ts';
import type { Choices, ChosenCache, ChosenDatabase } from '../choices.ts';

/** Version, type and size of databases and caches. Existing ones keep theirs unless the model specifies another. */

type Kept<T> = T | undefined;

/** The choices for an existing database. With another engine it is a new database, and the old choices do not apply. */
export const existingDatabase = (
  { engine }: Database,
  kept: Kept<ChosenDatabase>,
): ChosenDatabase | undefined => (kept?.engine === engine ? kept : undefined);

/** The major version of a full version. AWS changes it only on request. */
export const majorOf = (engine: Database['engine'], version: string): string | undefined =>
  Object.keys(databaseEngines[engine].versions).find(
    (major) => version === major || version.startsWith(`${major}.`),
  );

/** Returns a full version. AWS applies later minor versions automatically. */
function versionOf({ engine, engineVersion: requested }: Database, current: string | undefined): string {
  const { versions, defaultVersion } = databaseEngines[engine];
  if (requested === null) return current ?? versions[defaultVersion] ?? defaultVersion;
  const full = versions[requested];
  if (full === undefined) return requested;
  return current && majorOf(engine, current) === requested ? current : full;
}

export function decideDatabase(database: Database, kept: Kept<ChosenDatabase>): ChosenDatabase {
  const { engine, instanceType, storageGib } = database;
  const existing = existingDatabase(database, kept);
  const version = versionOf(database, existing?.version);
  const changesMajor = existing && majorOf(engine, existing.version) !== majorOf(engine, version);
  return {
    engine,
    version,
    type: instanceType ?? existing?.type ?? defaultDatabaseType(version),
    storageGib: Math.max(databaseStorage.minGib, storageGib),
    upgraded: changesMajor || existing?.upgraded || false,
  };
}

export const decideCache = ({ engine }: Cache, kept: Kept<ChosenCache>): ChosenCache =>
  kept?.engine === engine ? kept : { engine, version: cacheEngines[engine].version };

export const decideServices = (
  { databases, caches }: StackModel,
  kept: Choices,
): Pick<Choices, 'databases' | 'caches'> => ({
  databases: Object.fromEntries(
    databases.map((each) => [each.name, decideDatabase(each, kept.databases[each.name])]),
  ),
  caches: Object.fromEntries(caches.map((each) => [each.name, decideCache(each, kept.caches[each.name])])),
});
