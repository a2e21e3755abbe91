import type { Selectable } from 'kysely';
import type { PausedStackTable } from '../database/application-tables.ts';
import type { Query } from '../database/database.ts';

export const findPause = (query: Query, stackId: string): Promise<Selectable<PausedStackTable> | undefined> =>
  query.selectFrom('paused_stacks').selectAll().where('stack_id', '=', stackId).executeTakeFirst();

/** Of a stack that is paused already, who did it first stays. */
export async function pauseStack(query: Query, pause: PausedStackTable): Promise<void> {
  await query
    .insertInto('paused_stacks')
    .values(pause)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function resumeStack(query: Query, stackId: string): Promise<void> {
  await query.deleteFrom('paused_stacks').where('stack_id', '=', stackId).execute();
}
