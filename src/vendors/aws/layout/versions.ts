import type { Cache, Database, StackModel } from '../../../model/stack-model.ts';
import { cacheEngines, databaseEngines, databaseStorage, defaultDatabaseType } from '../catalog.ts';
import type { Choices, ChosenCache, ChosenDatabase } from '../choices.ts';

/** Which versions databases and caches are of, and of which type and size. What stands stays, unless other words are written. */

type Kept<T> = T | undefined;

/** Another engine under the same name is another database: nothing of the old one counts. */
export const standingDatabase = (
  { engine }: Database,
  kept: Kept<ChosenDatabase>,
): ChosenDatabase | undefined => (kept?.engine === engine ? kept : undefined);

/** The short version a full one belongs to, which AWS changes only when it is asked to. */
export const majorOf = (engine: Database['engine'], version: string): string | undefined =>
  Object.keys(databaseEngines[engine].versions).find(
    (major) => version === major || version.startsWith(`${major}.`),
  );

/** The full version is pinned; AWS goes on to later minor ones by itself. */
function versionOf({ engine, engineVersion: asked }: Database, standing: string | undefined): string {
  const { versions, defaultVersion } = databaseEngines[engine];
  if (asked === null) return standing ?? versions[defaultVersion] ?? defaultVersion;
  const full = versions[asked];
  if (full === undefined) return asked;
  return standing && majorOf(engine, standing) === asked ? standing : full;
}

export function decideDatabase(asked: Database, kept: Kept<ChosenDatabase>): ChosenDatabase {
  const { engine, instanceType, storageGib } = asked;
  const standing = standingDatabase(asked, kept);
  const version = versionOf(asked, standing?.version);
  const changesMajor = standing && majorOf(engine, standing.version) !== majorOf(engine, version);
  return {
    engine,
    version,
    type: instanceType ?? standing?.type ?? defaultDatabaseType(version),
    storageGib: Math.max(databaseStorage.least, storageGib),
    upgraded: changesMajor || standing?.upgraded || false,
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
