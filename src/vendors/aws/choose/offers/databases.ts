import { at, type Problem } from '../../../../basics/problem.ts';
import type { Database, StackModel } from '../../../../model/stack-model.ts';
import { databaseEngines, defaultDatabaseTypes } from '../../catalog.ts';
import type { Choices, ChosenDatabase, Offered } from '../../choices.ts';
import { decideDatabase, existingDatabase, majorOf, wantedMajor } from '../../layout/versions.ts';
import type { Region } from '../../region.ts';
import { type ClassOption, readDatabaseClasses, readDatabaseVersions } from './database-lists.ts';
import { nearTypes, nearVersions, newestFirst } from './near.ts';

/** What AWS offers for a database or a cache, what it does not offer, and what it did not say. */
export interface Answered {
  offered: Offered;
  problems: Problem[];
  notes: string[];
}

interface Asked {
  region: Region;
  database: Database;
  existing: ChosenDatabase | undefined;
  path: string;
}

const unanswered = (what: string, { name }: Region, reason: string): string =>
  `${what} could not be checked in ${name}, so AWS may refuse it later. ${reason}`;

/** Asks only about what is new or changes. */
export async function askForDatabases(
  region: Region,
  { databases }: StackModel,
  kept: Choices['databases'],
): Promise<Map<string, Answered>> {
  const answers = databases.map(async (database, index): Promise<[string, Answered]> => {
    const existing = existingDatabase(database, kept[database.name]);
    const asked = { region, database, existing, path: at('databases', index) };
    // A version of another form is reported by the checks that follow.
    const { engine, engineVersion } = database;
    const isReadable = engineVersion === null || majorOf(engine, engineVersion) !== undefined;
    return [database.name, isReadable ? await askForDatabase(asked) : nothing];
  });
  return new Map(await Promise.all(answers));
}

async function askForDatabase(asked: Asked): Promise<Answered> {
  const version = await askForVersion(asked);
  if (version.problems.length > 0 || version.notes.length > 0) return version;
  const type = await askForClass(asked, version.offered);
  return { ...type, offered: { ...version.offered, ...type.offered } };
}

export const nothing: Answered = { offered: {}, problems: [], notes: [] };

async function askForVersion({ region, database, existing, path }: Asked): Promise<Answered> {
  const { engine, engineVersion } = database;
  const major = wantedMajor(database, existing?.version);
  const isFull = engineVersion !== null && majorOf(engine, engineVersion) !== engineVersion;
  if (major === null && (!isFull || engineVersion === existing?.version)) return nothing;
  const { value: versions, reason } = await readDatabaseVersions(region, databaseEngines[engine].name);
  const wanted = major ?? engineVersion ?? '';
  if (!versions) return { ...nothing, notes: [unanswered(`Version ${wanted} of ${engine}`, region, reason)] };
  const sameMajor = versions.filter((version) => majorOf(engine, version) === majorOf(engine, wanted));
  const [version] = major === null ? sameMajor.filter((each) => each === wanted) : newestFirst(sameMajor);
  if (version !== undefined) return { ...nothing, offered: { version } };
  const others = sameMajor.length > 0 ? sameMajor : versions.flatMap((each) => majorOf(engine, each) ?? []);
  const message = `AWS does not offer version ${wanted} of ${engine} in ${region.name}. Use one of ${nearVersions(others)}.`;
  return { ...nothing, problems: [{ path: at(path, 'engineVersion'), message }] };
}

async function askForClass({ region, database, existing, path }: Asked, offered: Offered): Promise<Answered> {
  const { engine, instanceType } = database;
  const { version, type } = decideDatabase(database, existing, offered);
  const isKnown = type === existing?.type && version === existing.version;
  // AWS lists classes for full versions only.
  if (isKnown || version === majorOf(engine, version)) return nothing;
  const { value: options, reason } = await readDatabaseClasses(region, databaseEngines[engine].name, version);
  if (!options) return { ...nothing, notes: [unanswered(`Database class ${type}`, region, reason)] };
  const types = options.filter(fits(database)).map((option) => option.type);
  if (types.includes(type)) return { ...nothing, offered: { type } };
  const other = defaultDatabaseTypes.find((each) => types.includes(each));
  if (instanceType === null && !existing && other) return { ...nothing, offered: { type: other } };
  const message =
    `AWS does not offer database class ${type} for ${engine} ${version}${requirements(database)} in ${region.name}. ` +
    `Use one of ${nearTypes(type, types).join(', ')}.`;
  return { ...nothing, problems: [{ path: at(path, 'instanceType'), message }] };
}

/** All databases have gp3 storage. */
const fits =
  ({ multiZone, replicas }: Database) =>
  (option: ClassOption): boolean =>
    option.storage === 'gp3' && (!multiZone || option.multiZone) && (replicas === 0 || option.replicas);

const requirements = ({ multiZone, replicas }: Database): string =>
  `${multiZone ? ' with a standby' : ''}${replicas > 0 ? ' with read replicas' : ''}`;
