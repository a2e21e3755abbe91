import { storeName } from '../model/names.ts';
import type { StackModel } from '../model/stack-model.ts';

/** The databases with `deletion_protection`, as the names of stores have them. */
export const protectedNames = (models: readonly StackModel[]): ReadonlySet<string> =>
  new Set(
    models.flatMap(({ databases }) =>
      databases.filter(({ deletionProtection }) => deletionProtection).map(({ name }) => storeName(name)),
    ),
  );

/** Protected databases of one model that another one does not have, or has with another engine; null: the stack is deleted. */
export const unprotectedBy = (before: StackModel, after: StackModel | null): string[] =>
  before.databases
    .filter(({ deletionProtection }) => deletionProtection)
    .filter(
      ({ name, engine }) => !after?.databases.some((other) => other.name === name && other.engine === engine),
    )
    .map(({ name }) => name);
