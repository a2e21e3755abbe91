import type { StackOnVendor, VendorDocument } from '../../../src/vendors/vendor.ts';
import { fullModel, longTemplate } from './full-model.ts';
import { type AwsWorld, agentToken, newStack } from './world.ts';

/** A stack that stands already, and lasts: what would remove it is left out. Verbs may fail, the next is tried all the same. */
export interface Standing {
  stack: StackOnVendor;
  document: VendorDocument;
}

type Step = (verb: () => Promise<unknown> | undefined) => Promise<void>;

const stepper =
  (tolerant: boolean): Step =>
  async (verb) => {
    try {
      const answer = await verb();
      const isRefusal = typeof answer === 'object' && answer && 'accepted' in answer && !answer.accepted;
      if (isRefusal) throw new Error(JSON.stringify(answer));
    } catch (trouble) {
      if (!tolerant) throw trouble;
    }
  };

/** Everything a driver does, one after the other, each to its end. */
export async function everyOperation(world: AwsWorld, standing?: Standing): Promise<void> {
  const step = stepper(standing !== undefined);
  const { driver, vendor, access } = world;
  await step(() => vendor.verify?.(access));
  const stack = standing?.stack ?? newStack();
  await step(() => world.compiled(stack, fullModel(2)));
  const document = standing?.document ?? (await world.compiled(stack, fullModel(2)));
  await step(() => driver.apply(stack, { document, version: 'v1', agentToken }));
  await world.passAll();
  await step(() => driver.observe(stack));
  await standingVerbs(world, { stack, document }, step);
  await step(async () =>
    driver.apply(stack, { document: await world.compiled(stack, fullModel(4)), version: 'v2', agentToken }),
  );
  await world.passAll();
  await step(() => driver.observe(stack));
  if (!standing) await removed(world, stack, step);
  await longOne(world, step);
}

async function standingVerbs(world: AwsWorld, { stack, document }: Standing, step: Step): Promise<void> {
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

/** With a member of the group that somebody protected: it must not hold the deletion up. */
async function removed(world: AwsWorld, stack: StackOnVendor, step: Step): Promise<void> {
  const { driver, cloud } = world;
  const { AutoScalingGroups: [group] = [] } = await cloud.autoScaling.describeAutoScalingGroups({});
  await cloud.autoScaling.setInstanceProtection({
    AutoScalingGroupName: group?.AutoScalingGroupName,
    InstanceIds: (group?.Instances ?? []).flatMap(({ InstanceId }) => InstanceId ?? []),
    ProtectedFromScaleIn: true,
  });
  await step(() => driver.remove(stack));
  await world.passAll();
  await step(() => driver.observe(stack));
}

async function longOne(world: AwsWorld, step: Step): Promise<void> {
  const stack = newStack();
  await step(async () =>
    world.driver.apply(stack, {
      document: await world.compiled(stack, longTemplate),
      version: 'v1',
      agentToken,
    }),
  );
  await world.passAll();
  await step(() => world.driver.remove(stack));
  await world.passAll();
}
