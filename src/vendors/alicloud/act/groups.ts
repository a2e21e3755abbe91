import { ifThere, observing } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { readDetails } from '../observe/read-details.ts';
import { groupIdsOf } from '../observe/view.ts';
import type { Region } from '../region.ts';

/** Ids of the stack's scaling groups, from its outputs. */
export const groupsOf = async (region: Region, stack: CloudStack): Promise<string[]> =>
  groupIdsOf(await readDetails(region, stack));

interface GroupRow {
  LoadBalancerIds?: { LoadBalancerId?: readonly string[] };
}

export async function readLoadBalancers({ clients }: Region, groupId: string): Promise<readonly string[]> {
  const answer = await observing(() =>
    ifThere(() =>
      clients.call<{ ScalingGroups?: { ScalingGroup?: readonly GroupRow[] } }>({
        service: 'ess',
        action: 'DescribeScalingGroups',
        query: { ScalingGroupId: [groupId] },
      }),
    ),
  );
  return answer?.ScalingGroups?.ScalingGroup?.[0]?.LoadBalancerIds?.LoadBalancerId ?? [];
}

/** Lets a group remove these members. */
export async function unprotect({ clients }: Region, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ifThere(() =>
    clients.call({
      service: 'ess',
      action: 'SetInstancesProtection',
      query: { ScalingGroupId: groupId, InstanceId: ids, ProtectedFromScaleIn: false },
    }),
  );
}
