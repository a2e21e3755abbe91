import type { Stack } from '@aws-sdk/client-cloudformation';
import type { Clients } from '../clients.ts';
import { versionParameter } from '../document.ts';
import { look } from '../errors.ts';

/** A stack of ours as CloudFormation lists it. */
export interface CloudStack {
  stackId: string;
  /** CloudFormation's own id: unlike the name it stays valid when the stack is deleted. */
  arn: string;
  status: string;
  reason: string;
  /** The version it was last made or updated to; while that is under way or undone, it may be either one. */
  version: string;
  /** The same as it was written there. */
  writtenVersion: string;
  outputs: ReadonlyMap<string, { value: string; description: string }>;
  createdAt: number;
  /** When its last update began; equal to `createdAt` before the first. */
  updatedAt: number;
}

/** An update to the version that stands already carries a mark, or loses it, so that CloudFormation sees a change. */
const againMark = '/again';
export const differentlyWritten = (version: string, standing: string): string =>
  standing === version ? `${version}${againMark}` : version;
const plainVersion = (written: string): string => written.replace(againMark, '');

/** By its name, which nobody can change; tags can be taken away, and copied to other stacks. */
const ownName = /^alm-(.+)$/;

function cloudStackOf(stack: Stack): CloudStack | undefined {
  const stackId = ownName.exec(stack.StackName ?? '')?.[1];
  // Nested stacks and other people's stacks are none of ours.
  if (!stackId || !stack.StackId || stack.ParentId) return undefined;
  const createdAt = stack.CreationTime?.getTime() ?? 0;
  const parameter = stack.Parameters?.find(({ ParameterKey }) => ParameterKey === versionParameter);
  const written = parameter?.ParameterValue ?? '';
  return {
    stackId,
    arn: stack.StackId,
    status: stack.StackStatus ?? '',
    reason: stack.StackStatusReason ?? '',
    version: plainVersion(written),
    writtenVersion: written,
    outputs: new Map(
      (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '', Description = '' }) => [
        OutputKey,
        { value: OutputValue, description: Description },
      ]),
    ),
    createdAt,
    updatedAt: stack.LastUpdatedTime?.getTime() ?? createdAt,
  };
}

/** All stacks of ours that are not deleted, by their id with us. Pages follow one another; nothing else is asked. */
export async function listStacks(clients: Clients): Promise<ReadonlyMap<string, CloudStack>> {
  const cloudFormation = await clients.cloudFormation();
  const stacks = new Map<string, CloudStack>();
  let token: string | undefined;
  do {
    const page = await look(() => cloudFormation.describeStacks(token ? { NextToken: token } : {}));
    for (const stack of page.Stacks ?? []) {
      const ours = cloudStackOf(stack);
      if (ours && ours.status !== 'DELETE_COMPLETE') stacks.set(ours.stackId, ours);
    }
    token = page.NextToken;
  } while (token);
  return stacks;
}
