import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { type ExpectedError, readAws } from '../errors.ts';
import { groupOutput } from '../names.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';

/** Physical names of the stack's Auto Scaling groups, taken from its outputs without a call. */
export const groupNamesOf = ({ outputs }: CloudStack): string[] =>
  [...outputs]
    .filter(([key]) => key.startsWith(groupOutput('')))
    .map(([, { value }]) => value)
    .toSorted();

/** The error for a group, group member or hook that does not exist: always a `ValidationError`. */
export const notThere: ExpectedError = {
  name: /^ValidationError$/,
  message: /not found|no .*found|does not exist/i,
};

/** Reads groups by name; groups that no longer exist are omitted. */
export async function readGroups(region: Region, names: readonly string[]): Promise<AutoScalingGroup[]> {
  // Without a name AWS would return all groups of the account.
  if (names.length === 0) return [];
  const autoScaling = await region.clients.autoScaling();
  const groups: AutoScalingGroup[] = [];
  let token: string | undefined;
  do {
    const page = await readAws(() =>
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
