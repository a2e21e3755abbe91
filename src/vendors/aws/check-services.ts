import { at, type Problem } from '../../basics/problem.ts';
import type { Cache, Database } from '../../model/stack-model.ts';
import { cacheEngines, databaseEngines, databaseStorage } from './catalog.ts';

/** What is wrong with a database. */
export function databaseProblems(
  { engine, engineVersion, instanceType, storageGib }: Database,
  path: string,
) {
  const problems: Problem[] = [];
  const majors = Object.keys(databaseEngines[engine].versions);
  const isKnown = (version: string): boolean =>
    majors.some((major) => version === major || version.startsWith(`${major}.`));
  if (engineVersion !== null && !isKnown(engineVersion))
    problems.push({
      path: at(path, 'engineVersion'),
      message: `AWS has no ${engine} ${engineVersion}. It has ${majors.join(', ')}.`,
    });
  if (instanceType !== null && !/^db\.[a-z0-9-]+\.[a-z0-9-]+$/.test(instanceType))
    problems.push({
      path: at(path, 'instanceType'),
      message: `${instanceType} is not the name of a database class, such as db.t4g.micro.`,
    });
  if (storageGib > databaseStorage.most)
    problems.push({
      path: at(path, 'storageGib'),
      message: `A database has up to ${databaseStorage.most} GiB, not ${storageGib}.`,
    });
  return problems;
}

/** What is wrong with a cache. */
export function cacheProblems({ engine, nodeType, nodes }: Cache, path: string): Problem[] {
  const problems: Problem[] = [];
  if (!/^cache\.[a-z0-9-]+\.[a-z0-9-]+$/.test(nodeType))
    problems.push({
      path: at(path, 'nodeType'),
      message: `${nodeType} is not the name of a node type, such as cache.t4g.micro.`,
    });
  const { mostNodes } = cacheEngines[engine];
  if (nodes < 1 || nodes > mostNodes)
    problems.push({
      path: at(path, 'nodes'),
      message: `${engine} takes 1 to ${mostNodes} nodes, not ${nodes}.`,
    });
  return problems;
}
