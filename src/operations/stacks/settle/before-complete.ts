import type { StackModel } from '../../../model/stack-model.ts';
import { bumpLayers } from '../../../store/stacks/layer-revisions.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { readDesiredModel } from '../../../store/stacks/versions.ts';
import { type Driver, stackOnVendor } from '../../../vendors/vendor.ts';
import type { Service } from '../../service.ts';
import { learnDatabasePassword } from '../submit/database-password.ts';

/** Work to do when the vendor has reached a version, before the stack's status becomes complete. May be repeated. */
export async function beforeComplete(service: Service, stack: StackRow, driver: Driver): Promise<void> {
  if (stack.hook_heartbeat === null && !driver.readDatabasePassword) return;
  const { model } = await readDesiredModel(service.database.query, stack);
  await restoreHook(stack, model, driver);
  if (model.databases.length > 0) await fetchDatabasePassword(service, stack, driver);
}

/** Puts the lifecycle hook again, because a group that an update replaced has lost it. */
async function restoreHook(stack: StackRow, { layers }: StackModel, driver: Driver): Promise<void> {
  const hasGroup = layers.some(({ capacity }) => capacity.kind === 'group');
  if (stack.hook_heartbeat !== null && hasGroup)
    await driver.putLifecycleHook?.(stackOnVendor(stack), stack.hook_heartbeat);
}

async function fetchDatabasePassword(service: Service, stack: StackRow, driver: Driver): Promise<void> {
  const password = await driver.readDatabasePassword?.(stackOnVendor(stack));
  if (!password) return;
  await service.database.transaction(async (query) => {
    const isNew = await learnDatabasePassword(service, query, { stack, password });
    if (isNew) await bumpLayers(query, stack.id, service.clock.now());
  });
}
