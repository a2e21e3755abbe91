import type { StackEvent } from '@aws-sdk/client-cloudformation';
import type { VendorEvent } from '../../vendor.ts';
import { readAws } from '../errors.ts';
import { deletionToken } from '../names.ts';
import type { Region } from '../region.ts';
import { readInstallLog } from './install-log.ts';
import type { CloudStack } from './list-stacks.ts';
import type { OperationHistory, ResourceFailure } from './operation-history.ts';

const maxPages = 20;
const isStack = (event: StackEvent): boolean => event.PhysicalResourceId === event.StackId;
/** Status of the stack itself when an operation starts. */
const started = /^(CREATE|UPDATE|DELETE|REVIEW)_IN_PROGRESS$/;

/** Reads the events of the last operation, newest first. */
async function readLastOperation(region: Region, arn: string): Promise<StackEvent[]> {
  const cloudFormation = await region.clients.cloudFormation();
  const events: StackEvent[] = [];
  let token: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const response = await readAws(() =>
      cloudFormation.describeStackEvents({ StackName: arn, ...(token ? { NextToken: token } : {}) }),
    );
    for (const event of response.StackEvents ?? []) {
      events.push(event);
      if (isStack(event) && started.test(event.ResourceStatus ?? '')) return events;
    }
    token = response.NextToken;
    if (!token) break;
  }
  return events;
}

/** Tokens contain the version and a hash of the initial state: see requests.ts. */
const versionInToken = (token: string | undefined): string | undefined =>
  /^almanac-(?:create|update)-(.+)-[0-9a-f]{8}$/.exec(token ?? '')?.[1];

const versionOf = ({ ClientRequestToken }: StackEvent): { version?: string } => {
  const version = versionInToken(ClientRequestToken);
  return version === undefined ? {} : { version };
};

const vendorEvent = (event: StackEvent): VendorEvent => ({
  id: event.EventId ?? '',
  at: event.Timestamp?.getTime() ?? 0,
  resource: event.LogicalResourceId ?? '',
  resourceType: event.ResourceType ?? '',
  // Empty until CloudFormation has asked for the resource.
  ...(event.PhysicalResourceId ? { physicalId: event.PhysicalResourceId } : {}),
  ...versionOf(event),
  state: event.ResourceStatus ?? '',
  message: event.ResourceStatusReason ?? '',
});

const failed = /^(CREATE|UPDATE|DELETE)_FAILED$/;
/** Reason given for resources that were cancelled because another one failed. */
const consequence = /^Resource (creation|update) cancelled/i;

const failureOf = (event: StackEvent): ResourceFailure => ({
  resource: event.LogicalResourceId ?? '',
  text: `${event.LogicalResourceId} (${event.ResourceType}): ${event.ResourceStatusReason ?? event.ResourceStatus}`,
});

const failuresIn = (events: readonly StackEvent[]): StackEvent[] =>
  events.filter(({ ResourceStatus = '' }) => failed.test(ResourceStatus));

const isCause = (event: StackEvent): boolean =>
  !isStack(event) && !consequence.test(event.ResourceStatusReason ?? '');

function firstFailure(events: readonly StackEvent[]): string {
  const failures = failuresIn(events);
  const cause = failures.find(isCause) ?? failures[0];
  return cause ? failureOf(cause).text : '';
}

/** The first failure and, if it is the signal of a server, the end of the server's install log. */
async function explainFailure(region: Region, events: readonly StackEvent[]): Promise<string> {
  const reason = firstFailure(events);
  if (reason === '') return '';
  const log = await readInstallLog(
    region,
    events.map(({ ResourceStatusReason = '' }) => ResourceStatusReason),
  );
  return log === '' ? reason : `${reason}. The server's install log ends with: ${log}`;
}

const undoing = /^(UPDATE_)?ROLLBACK_IN_PROGRESS$/;

/** The failures of the last attempt to undo the operation. */
function undoFailures(events: readonly StackEvent[]): ResourceFailure[] {
  const start = events.findLastIndex((event) => isStack(event) && undoing.test(event.ResourceStatus ?? ''));
  return start < 0 ? [] : failuresIn(events.slice(start)).filter(isCause).map(failureOf);
}

export async function readHistory(
  region: Region,
  { arn }: Pick<CloudStack, 'arn'>,
): Promise<OperationHistory> {
  const events = (await readLastOperation(region, arn)).toReversed();
  return {
    events: events.map(vendorEvent),
    reason: await explainFailure(region, events),
    undoFailures: undoFailures(events),
    ownDeletion: events[0]?.ClientRequestToken?.startsWith(deletionToken) ?? false,
    version: versionInToken(events[0]?.ClientRequestToken),
    token: events[0]?.ClientRequestToken ?? '',
  };
}
