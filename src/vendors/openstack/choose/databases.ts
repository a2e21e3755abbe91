import { at, type Outcome, type Problem, reject, succeed } from '../../../basics/problem.ts';
import type { Database } from '../../../model/stack-model.ts';
import { databaseEngines, defaultDatabaseType } from '../catalog.ts';
import type { ChosenDatabase } from '../choices.ts';
import type { DecideInput } from './decide-input.ts';
import { chooseFlavor } from './flavors.ts';
import type { Decided } from './servers.ts';

export function decideDatabases(input: DecideInput): Decided<ChosenDatabase> {
  const { model, offer, dialect } = input;
  if (model.databases.length > 0 && !dialect.ownServices && !offer.services.has('database'))
    return { chosen: {}, problems: model.databases.map((_, index) => noService(at('databases', index))) };
  const outcomes = model.databases.map(
    (database, index) => [database.name, decide(database, at('databases', index), input)] as const,
  );
  return {
    chosen: Object.fromEntries(
      outcomes.flatMap(([name, outcome]) => (outcome.ok ? [[name, outcome.value]] : [])),
    ),
    problems: outcomes.flatMap(([, outcome]) => (outcome.ok ? [] : outcome.problems)),
  };
}

const noService = (path: string): Problem => ({
  path: at(path, 'engine'),
  message:
    'The cloud has no database service (Trove). Run the database in a container of a layer, or use another cloud.',
});

function decide(
  database: Database,
  path: string,
  { model, offer, kept, dialect }: DecideInput,
): Outcome<ChosenDatabase> {
  const before = kept.databases[database.name];
  const existing = before?.engine === database.engine ? before : undefined;
  const version = dialect.ownServices
    ? succeed(database.engineVersion ?? existing?.version ?? '')
    : versionOf(database, { path, current: existing?.version, datastores: offer.datastores });
  const flavor = chooseFlavor(
    {
      type: database.instanceType ?? existing?.flavor.type ?? defaultDatabaseType,
      path: at(path, 'instanceType'),
      minMemoryMib: 0,
      minDiskGib: 0,
      before: existing?.flavor,
    },
    { flavors: offer.flavors, named: model.vendorOptions?.flavors ?? {} },
  );
  if (!version.ok || !flavor.ok)
    return reject([...(version.ok ? [] : version.problems), ...(flavor.ok ? [] : flavor.problems)]);
  const { diskGib: _, ...chosen } = flavor.value;
  return succeed({ flavor: chosen, engine: database.engine, version: version.value });
}

interface VersionInput {
  path: string;
  current: string | undefined;
  datastores: DecideInput['offer']['datastores'];
}

/** Whether a version is the one that is asked for, or a later part of it: 8.0.36 of 8.0. */
const isVersion = (version: string, asked: string): boolean =>
  version === asked || version.startsWith(`${asked}.`) || version.startsWith(`${asked}-`);

/** An existing database keeps its version: another one would be another database. */
function versionOf(
  { engine, engineVersion }: Database,
  { path, current, datastores }: VersionInput,
): Outcome<string> {
  const wanted = engineVersion ?? current;
  if (current !== undefined && wanted !== undefined && isVersion(current, wanted)) return succeed(current);
  const { datastore } = databaseEngines[engine];
  const versions = datastores.find(({ name }) => name.toLowerCase() === datastore)?.versions ?? [];
  if (versions.length === 0)
    return reject([{ path: at(path, 'engine'), message: `The database service has no ${engine}.` }]);
  const found = wanted === undefined ? versions[0] : versions.find((version) => isVersion(version, wanted));
  if (found !== undefined) return succeed(found);
  const message = `The database service has no version ${wanted} of ${engine}. Use one of ${versions.join(', ')}.`;
  return reject([{ path: at(path, 'engineVersion'), message }]);
}
