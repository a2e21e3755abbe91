import { type PlannedChange, type StackOnVendor, Unreachable } from '../../vendor.ts';
import type { AlicloudDocument, ResourceType } from '../document.ts';
import { CloudError } from '../errors.ts';
import { dataTypes, lossWarning } from '../layout/impact.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { readDetails } from '../observe/read-details.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { findCloudStack, type Region } from '../region.ts';
import { stackRequest } from './requests.ts';

interface ChangeRow {
  LogicalResourceId?: string;
  ResourceType?: string;
  Action?: string;
  Replacement?: string;
}

/**
 * Asks ROS what an update to the document would do. Undefined if there is no answer: no stack, a stack in progress, a rejected request, or
 * the cloud is unreachable. The update itself would report the reason.
 */
export async function forecast(
  region: Region,
  { id }: StackOnVendor,
  document: AlicloudDocument,
): Promise<PlannedChange[] | undefined> {
  try {
    const { value: stack } = await findCloudStack(region, id);
    if (!stack || phaseOf(stack.status).move !== 'update') return undefined;
    // The version that the stack has: a new one would change the network's description in every forecast.
    const { rawVersion: version } = await readDetails(region, stack);
    const rows = await previewStack(region, stack, { stackId: id, document, version });
    return rows && plannedChanges(rows);
  } catch (cause) {
    if (cause instanceof Unreachable || cause instanceof CloudError) return undefined;
    throw cause;
  }
}

/** Undefined if the answer has no list: that is not a list of nothing. */
async function previewStack(
  region: Region,
  { rosId }: CloudStack,
  wanted: Parameters<typeof stackRequest>[1],
): Promise<readonly ChangeRow[] | undefined> {
  const { query, body } = stackRequest(region, wanted);
  const { RamRoleName: _, ...previewed } = { RamRoleName: '', ...query };
  const answer = await region.clients.call<{ Stack?: { Resources?: readonly ChangeRow[] } }>({
    service: 'ros',
    action: 'PreviewStack',
    query: { ...previewed, StackId: rosId },
    body,
  });
  return answer.Stack?.Resources;
}

/**
 * Logical ids of the resources with data that ROS may replace: all it changes, unless it says that it does so in place. Undefined if
 * ROS does not say what it changes. An update that may replace something may replace everything: the table of what ROS changes in place
 * is older than ROS.
 */
export async function findReplacedData(
  region: Region,
  stack: CloudStack,
  wanted: Parameters<typeof stackRequest>[1],
): Promise<string[] | undefined> {
  const rows = await previewStack(region, stack, wanted);
  return rows
    ?.filter(({ ResourceType = '' }) => dataTypes.has(ResourceType))
    .filter(({ Action, Replacement }) => Action === 'Modify' && Replacement !== 'False')
    .map(({ LogicalResourceId = '' }) => LogicalResourceId)
    .toSorted();
}

const plannedChanges = (rows: readonly ChangeRow[]): PlannedChange[] =>
  rows.flatMap(plannedChangeOf).toSorted((one, other) => (one.resource < other.resource ? -1 : 1));

/** ROS does not say which members differ. */
function plannedChangeOf(row: ChangeRow): PlannedChange[] {
  const { LogicalResourceId: resource = '', ResourceType: resourceType = '', Action, Replacement } = row;
  const plain = { resource, resourceType, members: [], warning: '' };
  const type = resourceType as ResourceType;
  if (Action === 'Add') return [{ ...plain, action: 'add' }];
  if (Action === 'Remove') return [{ ...plain, action: 'remove', warning: lossWarning(type) }];
  if (Action !== 'Modify') return [];
  // `Conditional`: it may be replaced.
  return Replacement === 'True' || Replacement === 'Conditional'
    ? [{ ...plain, action: 'replace', warning: lossWarning(type, 'replace') }]
    : [{ ...plain, action: 'change' }];
}
