import { createHash } from 'node:crypto';
import type { UpdateStackInput } from '@aws-sdk/client-cloudformation';

import { type AwsDocument, versionParameter } from '../document.ts';
import { callAws } from '../errors.ts';
import { cloudStackName, deletionToken, stackTag } from '../names.ts';
import { type CloudStack, markedVersion } from '../observe/list-stacks.ts';
import type { Region } from '../region.ts';
import { placeTemplate } from './template-bucket.ts';

/** The common part of create, update and change set requests, so that a forecast covers exactly what would be sent. */
export type StackRequest = Pick<
  UpdateStackInput,
  'StackName' | 'TemplateBody' | 'TemplateURL' | 'Parameters' | 'Capabilities' | 'Tags' | 'RoleARN'
>;

interface StackRequestInput {
  stackId: string;
  document: AwsDocument;
  version: string;
}

export async function stackRequest(
  region: Region,
  { stackId, document, version }: StackRequestInput,
): Promise<StackRequest> {
  return {
    StackName: cloudStackName(stackId),
    // Without whitespace: only short templates fit in the request.
    ...(await placeTemplate(region, stackId, JSON.stringify(document.template))),
    Parameters: [{ ParameterKey: versionParameter, ParameterValue: version }],
    Capabilities: ['CAPABILITY_IAM'],
    Tags: [{ Key: stackTag, Value: stackId }],
    ...roleOf(region),
  };
}

export const roleOf = ({ role }: Region): { RoleARN?: string } => (role ? { RoleARN: role } : {});

/**
 * The idempotency token of one step, equal for every retry: made from the version and the state the step started from.
 * CloudFormation treats requests with the same token as one request, and shows the token in every event.
 */
export function requestToken(
  verb: 'create' | 'update',
  version: string,
  from: CloudStack | undefined,
): string {
  return `almanac-${verb}-${version}-${stateHash(from)}`;
}

export function stateHash(from: CloudStack | undefined): string {
  const state = from ? `${from.arn} ${from.status} ${from.updatedAt}` : 'nothing';
  return createHash('sha256').update(state).digest('hex').slice(0, 8);
}

/**
 * Deletes a stack. The token shows in the events that the deletion was requested here. It differs each time: a failed
 * deletion may be repeated.
 */
export async function requestDeletion(region: Region, { arn }: CloudStack): Promise<void> {
  const cloudFormation = await region.clients.cloudFormation();
  const ClientRequestToken = `${deletionToken}${region.clock.now()}`;
  await callAws(() => cloudFormation.deleteStack({ StackName: arn, ClientRequestToken, ...roleOf(region) }));
}

/** After a rollback, an update to the version the stack already has must still count as a change. */
export const versionToWrite = (version: string, from: CloudStack): string =>
  from.status === 'UPDATE_ROLLBACK_COMPLETE' ? markedVersion(version, from.rawVersion) : version;
