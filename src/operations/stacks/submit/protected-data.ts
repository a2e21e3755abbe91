import { Failure } from '../../../basics/failure.ts';
import type { Database, StackModel } from '../../../model/stack-model.ts';

/** A change of the engine replaces the database. */
const stays = (database: Database, after: StackModel): boolean =>
  after.databases.some(({ name, engine }) => name === database.name && engine === database.engine);

/** Refuses a change that removes a protected database; null: the deletion of the stack. No parameter confirms it. */
export function refuseProtected(before: StackModel, after: StackModel | null): void {
  const lost = before.databases.filter(
    (database) => database.deletionProtection && !(after && stays(database, after)),
  );
  if (lost.length === 0) return;
  const names = lost.map(({ name }) => name).join(', ');
  throw new Failure('conflict', `The deletion of database ${names} is refused: it has deletion_protection`, {
    description:
      'Update the stack first, without other changes and without deletion_protection (v2: DeletionProtection).',
  });
}
