import type { Listed, Reader } from '../../shared/adaptive-read.ts';
import type { Clients } from '../clients.ts';
import { observing } from '../errors.ts';
import { stackName, triedTag } from '../names.ts';
import { isLastPage, type PageAnswer } from './pages.ts';

/** An Almanac stack as ROS lists it: without outputs and parameters. */
export interface CloudStack {
  stackId: string;
  /** Unlike the name, the id stays valid when the stack is deleted. */
  rosId: string;
  status: string;
  reason: string;
  /** The call of another service that failed in the last operation. */
  failure: { code: string; message: string; resource: string; resourceType: string } | undefined;
  /** What was noted before the last update; see `noteOf`. */
  note: string;
  createdAt: number;
  /** Start of the last update; equal to `createdAt` before the first. */
  updatedAt: number;
  drift: { status: string; checkedAt: number | null };
}

interface StackRow {
  StackId?: string;
  StackName?: string;
  ParentStackId?: string;
  Status?: string;
  StatusReason?: string;
  CreateTime?: string;
  UpdateTime?: string;
  StackDriftStatus?: string;
  DriftDetectionTime?: string;
  Tags?: readonly { Key?: string; Value?: string }[];
  OperationInfo?: { Code?: string; Message?: string; LogicalResourceId?: string; ResourceType?: string };
}

/** Times of ROS are in UTC and do not say so. */
export const timeOf = (text = ''): number =>
  Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`) || 0;

/** Stacks are recognized by name, which cannot be changed. Tags can be removed, or copied to other stacks. */
const ownName = /^alm-(.+)$/;

const failureOf = ({ OperationInfo: info }: StackRow): CloudStack['failure'] =>
  info?.Code
    ? {
        code: info.Code,
        message: info.Message ?? '',
        resource: info.LogicalResourceId ?? '',
        resourceType: info.ResourceType ?? '',
      }
    : undefined;

function cloudStackOf(row: StackRow): CloudStack[] {
  const stackId = ownName.exec(row.StackName ?? '')?.[1];
  // Skip nested stacks, stacks outside Almanac, and those that ROS still lists after their deletion.
  if (!stackId || !row.StackId || row.ParentStackId || row.Status === 'DELETE_COMPLETE') return [];
  const createdAt = timeOf(row.CreateTime);
  return [
    {
      stackId,
      rosId: row.StackId,
      status: row.Status ?? '',
      reason: row.StatusReason ?? '',
      failure: failureOf(row),
      note: row.Tags?.find(({ Key }) => Key === triedTag)?.Value ?? '',
      createdAt,
      updatedAt: row.UpdateTime ? timeOf(row.UpdateTime) : createdAt,
      drift: {
        status: row.StackDriftStatus ?? '',
        checkedAt: row.DriftDetectionTime ? timeOf(row.DriftDetectionTime) : null,
      },
    },
  ];
}

interface Page extends PageAnswer {
  Stacks?: readonly StackRow[];
}

const pageSize = 50;

const readPage = (clients: Clients, query: object): Promise<Page> =>
  observing(() =>
    clients.call<Page>({ service: 'ros', action: 'ListStacks', query: { PageSize: pageSize, ...query } }),
  );

/** Reads all Almanac stacks that are not deleted, by stack id, among everyone's. */
async function readAll(clients: Clients, maxPages: () => number): Promise<Listed<CloudStack> | undefined> {
  const values = new Map<string, CloudStack>();
  for (let pages = 1; pages <= maxPages(); pages += 1) {
    const page = await readPage(clients, { PageNumber: pages });
    const { Stacks: rows = [] } = page;
    for (const stack of rows.flatMap(cloudStackOf)) values.set(stack.stackId, stack);
    if (isLastPage(page, rows, { page: pages, size: pageSize })) return { values, pages };
  }
  return undefined;
}

/** Deleted stacks may have the same name. */
async function readOne(clients: Clients, stackId: string): Promise<CloudStack | undefined> {
  for (let page = 1; ; page += 1) {
    const answer = await readPage(clients, { PageNumber: page, StackName: [stackName(stackId)] });
    const { Stacks: rows = [] } = answer;
    const found = rows.flatMap(cloudStackOf).find((stack) => stack.stackId === stackId);
    if (found || isLastPage(answer, rows, { page, size: pageSize })) return found;
  }
}

export const stackReader = (clients: Clients): Reader<CloudStack> => ({
  one: (stackId) => readOne(clients, stackId),
  all: (maxPages) => readAll(clients, maxPages),
});
