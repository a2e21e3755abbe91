import { at, type Problem } from '../../../basics/problem.ts';
import type { Database } from '../../../model/stack-model.ts';
import { databaseEngines } from '../catalog.ts';
import type { Choices, ChosenDatabase, DatabaseCategory } from '../choices.ts';
import { foreignDatabaseMessage, wantedVersion } from '../layout/service-classes.ts';
import type { Decided, DecideInput } from './decide-input.ts';

/** An existing database keeps what the document leaves open. */
export function decideDatabases(input: DecideInput): Decided<Choices['databases']> {
  const value: Record<string, ChosenDatabase> = {};
  const problems = input.model.databases.flatMap((database, index) => {
    const before = input.kept.databases[database.name];
    const existing = before?.engine === database.engine ? before : undefined;
    const version = wantedVersion(database, existing?.version) ?? '';
    const type = database.instanceType ?? existing?.type ?? databaseEngines[database.engine].defaultType;
    const storageGib = existing?.storageGib ?? 0;
    const category = categoryOf(database, existing);
    value[database.name] = { engine: database.engine, version, type, category, storageGib };
    const path = at('databases', index);
    const isNew = existing?.type !== type || existing.version !== version;
    return isNew ? classProblems(input, { database, version, type, path }) : [];
  });
  return { value, problems };
}

/** A database cannot go back to the smaller edition. */
const categoryOf = (
  { replicas, multiZone }: Database,
  existing: ChosenDatabase | undefined,
): DatabaseCategory =>
  replicas > 0 || multiZone || existing?.category === 'HighAvailability' ? 'HighAvailability' : 'Basic';

interface ClassInput {
  database: Database;
  version: string;
  type: string;
  path: string;
}

/** Classes of a wrong form are reported by the checks of the compiler. */
function classProblems(
  { offer, model }: DecideInput,
  { database, version, type, path }: ClassInput,
): Problem[] {
  const classes = offer.databaseClasses[`${database.engine} ${version}`];
  if (!classes || classes.includes(type) || foreignDatabaseMessage(database.engine, type)) return [];
  const message = `${model.region} does not sell class ${type} for ${database.engine} ${version}. Use one of ${classes.slice(0, 6).join(', ')}.`;
  return [{ path: at(path, 'instanceType'), message }];
}
