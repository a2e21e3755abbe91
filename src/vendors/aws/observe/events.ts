import type { StackEvent } from '@aws-sdk/client-cloudformation';
import type { VendorEvent } from '../../vendor.ts';
import { look } from '../errors.ts';
import type { Region } from '../region.ts';
import type { CloudStack } from './list-stacks.ts';
import type { Story } from './story.ts';

const maxPages = 20;
const isStack = (event: StackEvent): boolean => event.PhysicalResourceId === event.StackId;
/** How an operation on a whole stack begins. */
const beginning = /^(CREATE|UPDATE|DELETE|REVIEW)_IN_PROGRESS$/;

/** Newest first, until the beginning of the last operation. */
async function readLastOperation(region: Region, arn: string): Promise<StackEvent[]> {
  const cloudFormation = await region.clients.cloudFormation();
  const events: StackEvent[] = [];
  let token: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await look(() =>
      cloudFormation.describeStackEvents({ StackName: arn, ...(token ? { NextToken: token } : {}) }),
    );
    for (const event of answer.StackEvents ?? []) {
      events.push(event);
      if (isStack(event) && beginning.test(event.ResourceStatus ?? '')) return events;
    }
    token = answer.NextToken;
    if (!token) break;
  }
  return events;
}

const vendorEvent = (event: StackEvent): VendorEvent => ({
  id: event.EventId ?? '',
  at: event.Timestamp?.getTime() ?? 0,
  resource: event.LogicalResourceId ?? '',
  resourceType: event.ResourceType ?? '',
  state: event.ResourceStatus ?? '',
  message: event.ResourceStatusReason ?? '',
});

const failed = /^(CREATE|UPDATE|DELETE)_FAILED$/;
/** Said of what was only waiting when something else failed. */
const consequence = /^Resource (creation|update) cancelled/i;

function firstFailure(events: readonly StackEvent[]): string {
  const failures = events.filter(({ ResourceStatus = '' }) => failed.test(ResourceStatus));
  const cause =
    failures.find((event) => !isStack(event) && !consequence.test(event.ResourceStatusReason ?? '')) ??
    failures[0];
  if (!cause) return '';
  return `${cause.LogicalResourceId} (${cause.ResourceType}): ${cause.ResourceStatusReason ?? cause.ResourceStatus}`;
}

/** Tokens name the version and the state it was begun from: see requests.ts. */
export const versionInToken = (token: string | undefined): string | undefined =>
  /^almanac-(?:create|update)-(.+)-[0-9a-f]{8}$/.exec(token ?? '')?.[1];

export async function readStory(region: Region, { arn }: Pick<CloudStack, 'arn'>): Promise<Story> {
  const events = (await readLastOperation(region, arn)).toReversed();
  return {
    events: events.map(vendorEvent),
    reason: firstFailure(events),
    version: versionInToken(events[0]?.ClientRequestToken),
  };
}
