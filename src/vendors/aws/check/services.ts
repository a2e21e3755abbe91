import { at, type Problem } from '../../../basics/problem.ts';
import type { Cache, Database } from '../../../model/stack-model.ts';
import { cacheEngines, databaseEngines, databaseStorage } from '../catalog.ts';
import type { ChosenDatabase } from '../choices.ts';
import { decideDatabase, existingDatabase, majorOf } from '../layout/versions.ts';

export function databaseProblems(
  database: Database,
  kept: ChosenDatabase | undefined,
  path: string,
): Problem[] {
  const { engine, engineVersion, instanceType } = database;
  const problems: Problem[] = [];
  // The template contains the part after the major version unchanged.
  const isWord = (version: string): boolean => /^[\w.-]+$/.test(version);
  if (engineVersion !== null && !(isWord(engineVersion) && majorOf(engine, engineVersion)))
    problems.push({
      path: at(path, 'engineVersion'),
      message: `Invalid version ${engineVersion} of ${engine}. Use a version such as ${databaseEngines[engine].defaultVersion}.`,
    });
  if (instanceType !== null && !/^db\.[a-z0-9-]+\.[a-z0-9-]+$/.test(instanceType))
    problems.push({
      path: at(path, 'instanceType'),
      message: `Invalid database class ${instanceType}. Use a name such as db.t4g.micro.`,
    });
  return [...problems, ...storageProblems(database, kept, at(path, 'storageGib'))];
}

function storageProblems(database: Database, kept: ChosenDatabase | undefined, path: string): Problem[] {
  const { storageGib } = decideDatabase(database, kept);
  const currentGib = existingDatabase(database, kept)?.storageGib ?? 0;
  const { maxGib } = databaseStorage;
  if (storageGib > maxGib)
    return [{ path, message: `Database storage must not exceed ${maxGib} GiB, not ${storageGib}.` }];
  if (storageGib >= currentGib) return [];
  return [{ path, message: `AWS cannot shrink a database: this one already has ${currentGib} GiB.` }];
}

export function cacheProblems({ engine, nodeType, nodes }: Cache, path: string): Problem[] {
  const problems: Problem[] = [];
  if (!/^cache\.[a-z0-9-]+\.[a-z0-9-]+$/.test(nodeType))
    problems.push({
      path: at(path, 'nodeType'),
      message: `Invalid node type ${nodeType}. Use a name such as cache.t4g.micro.`,
    });
  const { maxNodes } = cacheEngines[engine];
  if (nodes < 1 || nodes > maxNodes)
    problems.push({
      path: at(path, 'nodes'),
      message: `${engine} supports 1 to ${maxNodes} nodes, not ${nodes}.`,
    });
  return problems;
}
