import type { StackOnVendor, VendorDocument } from '../../../src/vendors/vendor.ts';
import { fullModel, longTemplate } from './full-model.ts';
import { type AwsWorld, agentToken, newStack } from './world.ts';

/** A stack that exists before and after: it is not removed. Operations may fail without stopping the next one. */
export interface ExistingStack {
  stack: StackOnVendor;
  document: VendorDocument;
}

type Step = (operation: () => Promise<unknown> | undefined) => Promise<void>;

const stepper =
  (tolerant: boolean): Step =>
  async (operation) => {
    try {
      const answer = await operation();
      const isRefusal = typeof answer === 'object' && answer && 'accepted' in answer && !answer.accepted;
      if (isRefusal) throw new Error(JSON.stringify(answer));
    } catch (error) {
      if (!tolerant) throw error;
    }
  };

/** Runs every operation of a driver to its end, one after the other. */
export async function everyOperation(world: AwsWorld, existing?: ExistingStack): Promise<void> {
  const step = stepper(existing !== undefined);
  const { driver, vendor, access } = world;
  await step(() => vendor.verify?.(access));
  const stack = existing?.stack ?? newStack();
  await step(() => world.compiled(stack, fullModel(2)));
  const document = existing?.document ?? (await world.compiled(stack, fullModel(2)));
  await step(() => driver.apply(stack, { document, version: 'v1', agentToken }));
  await world.passAll();
  await step(() => driver.observe(stack));
  await operateOn(world, { stack, document }, step);
  await step(async () =>
    driver.apply(stack, { document: await world.compiled(stack, fullModel(4)), version: 'v2', agentToken }),
  );
  await world.passAll();
  await step(() => driver.observe(stack));
  if (!existing) await remove(world, stack, step);
  await applyLongTemplate(world, step);
}

async function operateOn(world: AwsWorld, { stack, document }: ExistingStack, step: Step): Promise<void> {
  const { driver, cloud } = world;
  const instances = await cloud.instances();
  const idOf = (flag: string): string =>
    instances.find(({ Tags }) => Tags?.some(({ Value }) => Value === `${stack.id}-${flag}`))?.InstanceId ??
    '';
  await step(() => driver.putLifecycleHook?.(stack, 300));
  await step(() => driver.readLifecycleHook?.(stack));
  await step(() => driver.readPrivateKey?.(stack, 'Lone'));
  await step(() => driver.readDatabasePassword?.(stack));
  await step(() => driver.restartInstance?.(stack, idOf('Lone')));
  await step(() => driver.replaceInstance?.(stack, idOf('Shop')));
  await step(() => driver.forecast?.(stack, document));
  await step(() => driver.startDriftCheck?.(stack));
  await step(() => driver.readDrift?.(stack));
}

/** Removes the stack while group members have scale-in protection, which must not block the deletion. */
async function remove(world: AwsWorld, stack: StackOnVendor, step: Step): Promise<void> {
  const { driver, cloud } = world;
  const { AutoScalingGroups: [group] = [] } = await cloud.autoScaling.describeAutoScalingGroups({});
  await cloud.autoScaling.setInstanceProtection({
    AutoScalingGroupName: group?.AutoScalingGroupName,
    InstanceIds: (group?.Instances ?? []).flatMap(({ InstanceId }) => InstanceId ?? []),
    ProtectedFromScaleIn: true,
  });
  await step(() => driver.remove(stack, { data: 'keep', intent: 'delete 1' }));
  await world.passAll();
  await step(() => driver.observe(stack));
}

async function applyLongTemplate(world: AwsWorld, step: Step): Promise<void> {
  const stack = newStack();
  await step(async () =>
    world.driver.apply(stack, {
      document: await world.compiled(stack, longTemplate),
      version: 'v1',
      agentToken,
    }),
  );
  await world.passAll();
  await step(() => world.driver.remove(stack, { data: 'keep', intent: 'delete 1' }));
  await world.passAll();
}
