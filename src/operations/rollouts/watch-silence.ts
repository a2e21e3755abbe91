import { isInProgress } from '../../model/status.ts';
import { forgetGone, readApplication, recordApplication } from '../../rollouts/record.ts';
import { listSilentStacks, lockStackRow } from '../../store/stacks/health.ts';
import { findStackById } from '../../store/stacks/stacks.ts';
import type { Service } from '../service.ts';

/** Silence sends no report: the health of stacks whose instances have not reported for too long is judged again. */
export async function noticeSilence({ database, clock }: Service): Promise<void> {
  const now = clock.now();
  for (const stackId of await listSilentStacks(database.query, now)) {
    const isChanged = await database.transaction(async (query) => {
      await database.lock(query, `agents of ${stackId}`);
      await lockStackRow(query, stackId);
      const stack = await findStackById(query, stackId);
      if (!stack || stack.deleted_at !== null) return false;
      const { instances } = stack.view;
      await forgetGone(query, { stack, instances, now });
      const isSettled = !isInProgress(stack.status);
      const application = await readApplication(query, { stack, instances, now, isSettled });
      return recordApplication(query, { stack, now }, application);
    });
    if (isChanged) await database.notify('stack-event', stackId);
  }
}
