import { at, type Problem } from '../../../basics/problem.ts';
import type { Cache, Database } from '../../../model/stack-model.ts';
import { databaseEngines, databaseGib } from '../catalog.ts';
import type { Context } from '../compile/context.ts';
import { storageGib } from '../compile/databases.ts';
import { foreignCacheMessage, foreignDatabaseMessage } from '../layout/service-classes.ts';

export function databaseProblems(context: Context, database: Database, path: string): Problem[] {
  const { engine, engineVersion, instanceType } = database;
  const foreign = instanceType === null ? undefined : foreignDatabaseMessage(engine, instanceType);
  const problems: Problem[] = [];
  if (foreign !== undefined) problems.push({ path: at(path, 'instanceType'), message: foreign });
  const { versions } = databaseEngines[engine];
  if (
    engineVersion !== null &&
    !versions.some((known) => known === engineVersion || known === `${engineVersion}.0`)
  )
    problems.push({
      path: at(path, 'engineVersion'),
      message: `Alibaba Cloud has no version ${engineVersion} of ${engine}. Use one of ${versions.join(', ')}.`,
    });
  return [...problems, ...storageProblems(context, database, at(path, 'storageGib'))];
}

function storageProblems({ choices }: Context, database: Database, path: string): Problem[] {
  const { step, maxWithReplicas } = databaseGib;
  const existing = choices.databases[database.name]?.storageGib ?? 0;
  const wanted = storageGib(database);
  const problem = (message: string): Problem[] => [{ path, message }];
  const below = Math.floor(wanted / step) * step;
  if (wanted % step !== 0)
    return problem(
      `Database storage of Alibaba Cloud grows in steps of ${step} GiB. Use ${below} or ${below + step}, not ${wanted}.`,
    );
  if (database.replicas > 0 && wanted > maxWithReplicas)
    return problem(
      `Read replicas of Alibaba Cloud have at most ${maxWithReplicas} GiB, and this database has ${wanted}. Use less, or no replicas.`,
    );
  return wanted < existing
    ? problem(`Alibaba Cloud cannot shrink a database: this one already has ${existing} GiB. Keep the size.`)
    : [];
}

export const cacheProblems = (cache: Cache, path: string): Problem[] => {
  const message = foreignCacheMessage(cache);
  return message === undefined ? [] : [{ path: at(path, 'nodeType'), message }];
};
