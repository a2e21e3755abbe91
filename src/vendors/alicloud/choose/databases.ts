import type { Database } from '../../../model/stack-model.ts';
import { databaseEngines } from '../catalog.ts';
import type { Choices, ChosenDatabase, DatabaseCategory } from '../choices.ts';
import { wantedVersion } from '../layout/service-classes.ts';
import type { DecideInput } from './decide-input.ts';

/** An existing database keeps what the document leaves open. */
export const decideDatabases = ({ model, kept }: DecideInput): Choices['databases'] =>
  Object.fromEntries(
    model.databases.map((database) => [
      database.name,
      decideDatabase(database, kept.databases[database.name]),
    ]),
  );

/** Whether the class is on sale is not known here: ROS reports it. */
function decideDatabase(database: Database, before: ChosenDatabase | undefined): ChosenDatabase {
  const { engine, instanceType } = database;
  const existing = before?.engine === engine ? before : undefined;
  return {
    engine,
    version: wantedVersion(database, existing?.version) ?? '',
    type: instanceType ?? existing?.type ?? databaseEngines[engine].defaultType,
    category: categoryOf(database, existing),
    storageGib: existing?.storageGib ?? 0,
  };
}

/** A database cannot go back to the smaller edition. */
const categoryOf = (
  { replicas, multiZone }: Database,
  existing: ChosenDatabase | undefined,
): DatabaseCategory =>
  replicas > 0 || multiZone || existing?.category === 'HighAvailability' ? 'HighAvailability' : 'Basic';
