import type { Stack } from '@aws-sdk/client-cloudformation';
import type { Listed, Reader } from '../../shared/adaptive-read.ts';
import { CredentialRejected } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { versionParameter } from '../document.ts';
import { ignoreError, observeAws } from '../errors.ts';
import { cloudStackName } from '../names.ts';

/** An Almanac stack as CloudFormation lists it. */
export interface CloudStack {
  stackId: string;
  /** Unlike the name, the ARN stays valid when the stack is deleted. */
  arn: string;
  status: string;
  reason: string;
  /** The version last created or updated to. During an update or a rollback it may be the old or the new one. */
  version: string;
  /** The version parameter as stored, with its mark. */
  rawVersion: string;
  outputs: ReadonlyMap<string, { value: string; description: string }>;
  createdAt: number;
  /** Start of the last update; equal to `createdAt` before the first. */
  updatedAt: number;
}

/** An update to the current version adds or removes this mark, so that CloudFormation sees a change. */
const againMark = '/again';
export const markedVersion = (version: string, current: string): string =>
  current === version ? `${version}${againMark}` : version;
const plainVersion = (raw: string): string => raw.replace(againMark, '');

/** Stacks are recognized by name, which cannot be changed. Tags can be removed, or copied to other stacks. */
const ownName = /^alm-(.+)$/;

function cloudStackOf(stack: Stack): CloudStack | undefined {
  const stackId = ownName.exec(stack.StackName ?? '')?.[1];
  // Skip nested stacks and stacks outside Almanac.
  if (!stackId || !stack.StackId || stack.ParentId) return undefined;
  const createdAt = stack.CreationTime?.getTime() ?? 0;
  const parameter = stack.Parameters?.find(({ ParameterKey }) => ParameterKey === versionParameter);
  const rawVersion = parameter?.ParameterValue ?? '';
  return {
    stackId,
    arn: stack.StackId,
    status: stack.StackStatus ?? '',
    reason: stack.StackStatusReason ?? '',
    version: plainVersion(rawVersion),
    rawVersion,
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

const isThere = (stack: CloudStack | undefined): stack is CloudStack =>
  stack !== undefined && stack.status !== 'DELETE_COMPLETE';

/** Reads all Almanac stacks that are not deleted, by stack id, among everyone's. */
async function readAll(clients: Clients, maxPages: () => number): Promise<Listed<CloudStack> | undefined> {
  const cloudFormation = await clients.cloudFormation();
  const values = new Map<string, CloudStack>();
  let token: string | undefined;
  for (let pages = 1; pages <= maxPages(); pages += 1) {
    const page = await observeAws(() => cloudFormation.describeStacks(token ? { NextToken: token } : {}));
    for (const stack of (page.Stacks ?? []).map(cloudStackOf).filter(isThere))
      values.set(stack.stackId, stack);
    token = page.NextToken;
    if (!token) return { values, pages };
  }
  return undefined;
}

async function readOne(clients: Clients, stackId: string): Promise<CloudStack | undefined> {
  const cloudFormation = await clients.cloudFormation();
  const found = await observeAws(() =>
    ignoreError({ name: /^ValidationError$/, message: /does not exist/ }, () =>
      cloudFormation.describeStacks({ StackName: cloudStackName(stackId) }),
    ),
  );
  return (found?.Stacks ?? []).map(cloudStackOf).find(isThere);
}

export const stackReader = (clients: Clients): Reader<CloudStack> => ({
  one: (stackId) => readOne(clients, stackId),
  all: (maxPages) => unlessDenied(() => readAll(clients, maxPages)),
});

/** A key that may not list everyone's stacks can still read each of ours. */
async function unlessDenied<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof CredentialRejected) return undefined;
    throw cause;
  }
}
