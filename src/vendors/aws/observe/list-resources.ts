import type { StackResourceSummary } from '@aws-sdk/client-cloudformation';
import { callAws } from '../errors.ts';
import type { Region } from '../region.ts';
import type { CloudStack } from './list-stacks.ts';

/** The resources of a stack as CloudFormation knows them, also those that it deleted. */
export async function readResources(
  { clients }: Region,
  { arn }: Pick<CloudStack, 'arn'>,
): Promise<StackResourceSummary[]> {
  const cloudFormation = await clients.cloudFormation();
  const resources: StackResourceSummary[] = [];
  let token: string | undefined;
  do {
    const page = await callAws(() =>
      cloudFormation.listStackResources({ StackName: arn, ...(token ? { NextToken: token } : {}) }),
    );
    resources.push(...(page.StackResourceSummaries ?? []));
    token = page.NextToken;
  } while (token);
  return resources;
}
