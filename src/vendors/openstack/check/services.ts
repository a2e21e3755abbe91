import { at, type Problem } from '../../../basics/problem.ts';
import type { Database } from '../../../model/stack-model.ts';
import type { Context } from '../compile/context.ts';

export function databaseProblems(context: Context, database: Database, path: string): Problem[] {
  const { label, ownServices } = context.dialect;
  const problems: Problem[] = [];
  if (database.multiZone && !ownServices)
    problems.push({
      path: at(path, 'multiZone'),
      message: `${label} has no databases with a copy in a second zone. Leave it out, and back up the database.`,
    });
  if (database.replicas > 0)
    problems.push({
      path: at(path, 'replicas'),
      message: `Heat cannot make read replicas on ${label}. Leave them out, or read from a cache.`,
    });
  return [...problems, ...storageProblems(context, database, at(path, 'storageGib'))];
}

function storageProblems(
  { dialect, choices }: Context,
  { name, storageGib }: Database,
  path: string,
): Problem[] {
  const { min, max } = dialect.databaseGib;
  const existing = choices.databaseGib[name] ?? 0;
  if (storageGib < min || storageGib > max)
    return [
      {
        path,
        message: `Database storage must be between ${min} and ${max} GiB on ${dialect.label}, not ${storageGib}.`,
      },
    ];
  if (storageGib >= existing) return [];
  return [
    {
      path,
      message: `${dialect.label} cannot shrink a database: the version before asks for ${existing} GiB, which it may have by now even if that version failed. Ask for no less.`,
    },
  ];
}
