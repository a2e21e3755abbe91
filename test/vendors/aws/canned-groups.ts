/** Fake of Auto Scaling whose groups keep terminating members; those of the simulator drop them at once. */
export interface CannedGroup {
  name: string;
  targetGroups: string[];
  members: { id: string; state: string; isProtected: boolean }[];
  hooks: Record<string, CannedHook>;
}

interface CannedHook {
  HeartbeatTimeout?: number;
  GlobalTimeout?: number;
  DefaultResult?: string;
}

export type Operation = (input: never) => unknown;

export const awsError = (name: string, message: string, httpStatusCode = 400): Error =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });

/** A group that launches at once, and keeps terminating members as long as it has a hook. */
export function cannedAutoScaling(groups: CannedGroup[]): Record<string, Operation> {
  const groupNamed = (name: string): CannedGroup => {
    const group = groups.find((each) => each.name === name);
    if (!group) throw awsError('ValidationError', `AutoScalingGroup name not found - ${name}`);
    return group;
  };
  type Named = { AutoScalingGroupName: string; LifecycleHookName: string };
  return {
    describeAutoScalingGroups: ({ AutoScalingGroupNames }: { AutoScalingGroupNames: string[] }) => ({
      AutoScalingGroups: groups
        .filter(({ name }) => AutoScalingGroupNames.includes(name))
        .map(({ name, targetGroups, members }) => ({
          AutoScalingGroupName: name,
          TargetGroupARNs: targetGroups,
          Instances: members.map(({ id, state, isProtected }) => ({
            InstanceId: id,
            LifecycleState: state,
            ProtectedFromScaleIn: isProtected,
          })),
        })),
    }),
    terminateInstanceInAutoScalingGroup: ({ InstanceId }: { InstanceId: string }) => {
      const group = groups.find(({ members }) => members.some(({ id }) => id === InstanceId));
      const member = group?.members.find(({ id }) => id === InstanceId);
      if (!group || !member) throw awsError('ValidationError', 'Instance Id not found');
      group.members.push({ id: `${InstanceId}-next`, state: 'Pending', isProtected: false });
      member.state = Object.keys(group.hooks).length > 0 ? 'Terminating:Wait' : 'Terminating';
    },
    putLifecycleHook: ({ AutoScalingGroupName, LifecycleHookName, ...hook }: Named & CannedHook) => {
      groupNamed(AutoScalingGroupName).hooks[LifecycleHookName] = hook;
    },
    describeLifecycleHooks: ({ AutoScalingGroupName }: Named) => ({
      LifecycleHooks: Object.entries(groupNamed(AutoScalingGroupName).hooks).map(
        ([LifecycleHookName, hook]) => Object.assign({ LifecycleHookName }, hook),
      ),
    }),
    deleteLifecycleHook: ({ AutoScalingGroupName, LifecycleHookName }: Named) => {
      const { hooks } = groupNamed(AutoScalingGroupName);
      if (!hooks[LifecycleHookName]) throw awsError('ValidationError', 'No Lifecycle Hook found');
      delete hooks[LifecycleHookName];
    },
    setInstanceProtection: ({ AutoScalingGroupName, InstanceIds }: Named & { InstanceIds: string[] }) => {
      for (const member of groupNamed(AutoScalingGroupName).members)
        if (InstanceIds.includes(member.id)) member.isProtected = false;
    },
  };
}
