import { readApplication, recordApplication } from '../../rollouts/record.ts';
import { listSilentStacks } from '../../store/stacks/health.ts';
import { findStackById } from '../../store/stacks/stacks.ts';
import type { Service } from '../service.ts';

/** Silence sends no report: the health of stacks whose instances have not reported for too long is judged again. */
export async function noticeSilence({ database, clock }: Service): Promise<void> {
  const now = clock.now();
  for (const stackId of await listSilentStacks(database.query, now)) {
    await database.transaction(async (query) => {
      await database.lock(query, `agents of ${stackId}`);
      const stack = await findStackById(query, stackId);
      if (!stack || stack.deleted_at !== null) return;
      const application = await readApplication(query, { stack, instances: stack.view.instances, now });
      await recordApplication(query, { stack, now }, application);
    });
    await database.notify('stack-event', stackId);
  }
}
