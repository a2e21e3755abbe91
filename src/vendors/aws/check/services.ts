import { at, type Problem } from '../../../basics/problem.ts';
import type { Cache, Database } from '../../../model/stack-model.ts';
import { cacheEngines, databaseEngines, databaseStorage } from '../catalog.ts';
import type { ChosenDatabase } from '../choices.ts';
import { decideDatabase, majorOf, standingDatabase } from '../layout/versions.ts';

/** What is wrong with a database. */
export function databaseProblems(asked: Database, kept: ChosenDatabase | undefined, path: string): Problem[] {
  const { engine, engineVersion, instanceType } = asked;
  const problems: Problem[] = [];
  // What stands behind the major version goes into the template as it is.
  const isWord = (version: string): boolean => /^[\w.-]+$/.test(version);
  if (engineVersion !== null && !(isWord(engineVersion) && majorOf(engine, engineVersion)))
    problems.push({
      path: at(path, 'engineVersion'),
      message: `AWS has no ${engine} ${engineVersion}. It has ${Object.keys(databaseEngines[engine].versions).join(', ')}.`,
    });
  if (instanceType !== null && !/^db\.[a-z0-9-]+\.[a-z0-9-]+$/.test(instanceType))
    problems.push({
      path: at(path, 'instanceType'),
      message: `${instanceType} is not the name of a database class, such as db.t4g.micro.`,
    });
  return [...problems, ...storageProblems(asked, kept, at(path, 'storageGib'))];
}

function storageProblems(asked: Database, kept: ChosenDatabase | undefined, path: string): Problem[] {
  const { storageGib } = decideDatabase(asked, kept);
  const standing = standingDatabase(asked, kept)?.storageGib ?? 0;
  if (storageGib > databaseStorage.most)
    return [{ path, message: `A database has up to ${databaseStorage.most} GiB, not ${storageGib}.` }];
  if (storageGib >= standing) return [];
  return [{ path, message: `AWS cannot make a database smaller: this one has ${standing} GiB already.` }];
}

/** What is wrong with a cache. */
export function cacheProblems({ engine, nodeType, nodes }: Cache, path: string): Problem[] {
  const problems: Problem[] = [];
  if (!/^cache\.[a-z0-9-]+\.[a-z0-9-]+$/.test(nodeType))
    problems.push({
      path: at(path, 'nodeType'),
      message: `${nodeType} is not the name of a node type, such as cache.t4g.micro.`,
    });
  const { maxNodes } = cacheEngines[engine];
  if (nodes < 1 || nodes > maxNodes)
    problems.push({
      path: at(path, 'nodes'),
      message: `${engine} takes 1 to ${maxNodes} nodes, not ${nodes}.`,
    });
  return problems;
}
