import type { Feature } from '../../../src/vendors/aws/permissions/features.ts';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';
import { eventually } from '../../http.ts';
import { cancelInProgress, growDisk, removeWithData } from './data-steps.ts';
import { fullModel, longTemplate, plainModel } from './full-model.ts';
import { type MadeStack, make, type Subject } from './made-stacks.ts';
import { agentToken, newStack } from './world.ts';

/** One thing that a key is used for. */
export interface Step {
  name: string;
  feature: Feature;
  run(subject: Subject): Promise<unknown>;
}

async function apply({ user, admin }: Subject, stack: StackOnVendor, model: ReturnType<typeof plainModel>) {
  const document = await user.compiled(stack, model);
  const answer = await user.driver.apply(stack, { document, version: `v${model.layers.length}`, agentToken });
  if (!answer.accepted) return answer;
  await admin.passAll();
  return user.driver.observe(stack);
}

async function instanceOf({ admin }: Subject, { stack }: MadeStack, flag: string): Promise<string> {
  const instances = await admin.cloud.instances();
  const found = instances.find(({ Tags }) => Tags?.some(({ Value }) => Value === `${stack.id}-${flag}`));
  return found?.InstanceId ?? '';
}

/** Removes a stack with a hook and protected members, which must not hold up the deletion. */
async function removeProtected({ user, admin }: Subject): Promise<unknown> {
  const { stack } = await make(admin, plainModel(2));
  await admin.driver.putLifecycleHook?.(stack, 300);
  const { AutoScalingGroups: groups = [] } = await admin.cloud.autoScaling.describeAutoScalingGroups({});
  const group = groups.find(({ Tags }) => Tags?.some(({ Value }) => Value === stack.id));
  await admin.cloud.autoScaling.setInstanceProtection({
    AutoScalingGroupName: group?.AutoScalingGroupName,
    InstanceIds: (group?.Instances ?? []).flatMap(({ InstanceId }) => InstanceId ?? []),
    ProtectedFromScaleIn: true,
  });
  const answer = await user.driver.remove(stack, { releases: [], intent: 'delete 1' });
  if (!answer.accepted) return answer;
  await admin.passAll();
  return user.driver.observe(stack);
}

async function checkDrift({ user, admin, stacks }: Subject): Promise<unknown> {
  const { stack } = stacks.full;
  const { SecurityGroups: groups = [] } = await admin.cloud.ec2.describeSecurityGroups({});
  const GroupId = groups.find(({ Tags }) => Tags?.some(({ Value }) => Value === stack.id))?.GroupId;
  // A change by hand, so that there is something to read. It stays.
  const rule = { IpProtocol: 'tcp', FromPort: 9, ToPort: 9, IpRanges: [{ CidrIp: '192.0.2.0/24' }] };
  await admin.cloud.ec2
    .authorizeSecurityGroupIngress({ GroupId, IpPermissions: [rule] })
    .catch(() => undefined);
  const answer = await user.driver.startDriftCheck?.(stack);
  if (answer && !answer.accepted) return answer;
  return eventually(
    async () => user.driver.readDrift?.(stack),
    (drift) => drift?.state !== 'checking',
  );
}

/** Everything a driver does, the cheapest first. */
export const steps: readonly Step[] = [
  { name: 'verify', feature: 'stacks', run: async ({ user }) => user.vendor.verify?.(user.access) },
  { name: 'choose', feature: 'stacks', run: ({ user }) => user.compiled(newStack(), plainModel(2)) },
  { name: 'certificates', feature: 'https', run: ({ user }) => user.compiled(newStack(), fullModel(2)) },
  {
    name: 'observe',
    feature: 'stacks',
    run: ({ user, stacks }) => user.driver.observe(stacks.plain.stack),
  },
  {
    name: 'databases',
    feature: 'databases',
    run: async ({ user, stacks }) => {
      await user.driver.readDatabasePassword?.(stacks.database.stack);
      return user.driver.observe(stacks.database.stack);
    },
  },
  { name: 'caches', feature: 'caches', run: ({ user, stacks }) => user.driver.observe(stacks.cache.stack) },
  {
    name: 'kept data',
    feature: 'kept-data',
    run: async ({ user, stacks }) => user.driver.listKept?.(stacks.plain.stack),
  },
  {
    name: 'private key',
    feature: 'private-keys',
    run: async ({ user, stacks }) => user.driver.readPrivateKey?.(stacks.plain.stack, 'Lone'),
  },
  {
    name: 'set hook',
    feature: 'lifecycle-hooks',
    run: async ({ user, stacks }) => user.driver.putLifecycleHook?.(stacks.plain.stack, 300),
  },
  {
    name: 'read hook',
    feature: 'lifecycle-hooks',
    run: async ({ user, stacks }) => user.driver.readLifecycleHook?.(stacks.plain.stack),
  },
  {
    name: 'reboot',
    feature: 'restarts',
    run: async (subject) => {
      const { plain } = subject.stacks;
      return subject.user.driver.restartInstance?.(plain.stack, await instanceOf(subject, plain, 'Lone'));
    },
  },
  {
    name: 'restart member',
    feature: 'restarts',
    run: async (subject) => {
      const { plain } = subject.stacks;
      return subject.user.driver.restartInstance?.(plain.stack, await instanceOf(subject, plain, 'Shop'));
    },
  },
  {
    name: 'spot notice',
    feature: 'spot-notices',
    run: async (subject) => {
      const { plain } = subject.stacks;
      return subject.user.driver.replaceInstance?.(plain.stack, await instanceOf(subject, plain, 'Shop'));
    },
  },
  {
    name: 'forecast',
    feature: 'previews',
    run: async ({ user, admin, stacks: { plain } }) =>
      user.driver.forecast?.(plain.stack, await admin.compiled(plain.stack, plainModel(6))),
  },
  { name: 'drift', feature: 'drift', run: checkDrift },
  { name: 'create', feature: 'stacks', run: (subject) => apply(subject, newStack(), plainModel(2)) },
  {
    name: 'update',
    feature: 'stacks',
    run: async (subject) => apply(subject, (await make(subject.admin, plainModel(2))).stack, plainModel(4)),
  },
  { name: 'grow a disk', feature: 'stacks', run: growDisk },
  { name: 'cancel', feature: 'stacks', run: cancelInProgress },
  { name: 'remove', feature: 'stacks', run: removeProtected },
  { name: 'remove with its data', feature: 'stacks', run: removeWithData },
  {
    name: 'large template',
    feature: 'large-templates',
    run: (subject) => apply(subject, newStack(), longTemplate),
  },
];

/** What a step reports if it fails; empty if it does not. */
export async function failureOf(step: Step, subject: Subject): Promise<string> {
  try {
    const result = (await step.run(subject)) as Record<string, unknown> | undefined;
    if (typeof result !== 'object' || result === null) return '';
    const failed =
      result['accepted'] === false ||
      result['cancelled'] === false ||
      result['state'] === 'failed' ||
      result['kind'] === 'broken';
    return failed ? String(result['reason']) : '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
