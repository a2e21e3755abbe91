import type { StackModel } from '../../../model/stack-model.ts';
import { bumpLayers } from '../../../store/stacks/layer-revisions.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { readDesiredVersion } from '../../../store/stacks/versions.ts';
import type { Driver } from '../../../vendors/vendor.ts';
import { onVendor } from '../../ask-vendor.ts';
import type { Service } from '../../service.ts';
import { learnDatabasePassword } from '../submit/database-password.ts';

/** What is to be done when the vendor has reached a version, before the stack is called complete. May be repeated. */
export async function beforeComplete(service: Service, stack: StackRow, driver: Driver): Promise<void> {
  const { model } = await readDesiredVersion(service.database.query, stack);
  await putHookAgain(stack, model, driver);
  await fetchDatabasePassword(service, stack, model, driver);
}

/** A group that an update replaced has forgotten its hook. */
async function putHookAgain(stack: StackRow, { layers }: StackModel, driver: Driver): Promise<void> {
  const hasGroup = layers.some(({ capacity }) => capacity.kind === 'group');
  if (stack.hook_heartbeat !== null && hasGroup)
    await driver.putLifecycleHook?.(onVendor(stack), stack.hook_heartbeat);
}

async function fetchDatabasePassword(
  service: Service,
  stack: StackRow,
  { databases }: StackModel,
  driver: Driver,
): Promise<void> {
  if (databases.length === 0 || !driver.readDatabasePassword) return;
  const password = await driver.readDatabasePassword(onVendor(stack));
  if (!password) return;
  await service.database.transaction(async (query) => {
    const isNew = await learnDatabasePassword(service, query, stack, password);
    if (isNew) await bumpLayers(query, stack.id, service.clock.now());
  });
}
