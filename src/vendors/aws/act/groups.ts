import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { look } from '../errors.ts';
import { groupOutput } from '../names.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';
import type { Fine } from '../tolerate.ts';

/** The real names of the stack's autoscaling groups, from its own outputs: nothing is asked. */
export const groupNamesOf = ({ outputs }: CloudStack): string[] =>
  [...outputs]
    .filter(([key]) => key.startsWith(groupOutput('')))
    .map(([, { value }]) => value)
    .toSorted();

/** How AWS says that a group, a member of it or its hook is not there: always a `ValidationError`. */
export const notThere: Fine = { name: /^ValidationError$/, words: /not found|no .*found|does not exist/i };

/** Groups that are gone are left out, without a word. */
export async function readGroups(region: Region, names: readonly string[]): Promise<AutoScalingGroup[]> {
  // Without any name AWS would tell all groups of the account.
  if (names.length === 0) return [];
  const autoScaling = await region.clients.autoScaling();
  const groups: AutoScalingGroup[] = [];
  let token: string | undefined;
  do {
    const page = await look(() =>
      autoScaling.describeAutoScalingGroups({
        AutoScalingGroupNames: [...names],
        MaxRecords: 100,
        ...(token ? { NextToken: token } : {}),
      }),
    );
    groups.push(...(page.AutoScalingGroups ?? []));
    token = page.NextToken;
  } while (token);
  return groups;
}
