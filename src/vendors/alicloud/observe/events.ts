import type { VendorEvent } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { ifThere, observing } from '../errors.ts';
import { type CloudStack, timeOf } from './list-stacks.ts';
import type { OperationHistory } from './operation-history.ts';
import { isLastPage, type PageAnswer } from './pages.ts';
import { isUndoing } from './stack-phase.ts';

interface EventRow {
  EventId?: string;
  CreateTime?: string;
  LogicalResourceId?: string;
  PhysicalResourceId?: string;
  ResourceType?: string;
  Status?: string;
  StatusReason?: string;
}

const pageSize = 50;
const maxPages = 20;

const isStack = (event: EventRow, { rosId }: CloudStack): boolean => event.PhysicalResourceId === rosId;
/** Status of the stack itself when an operation starts. An undoing belongs to the update that it undoes. */
const started = /^(CREATE|UPDATE|DELETE|IMPORT_\w+)_IN_PROGRESS$/;

interface EventsAnswer extends PageAnswer {
  Events?: readonly EventRow[];
}

async function readPage(clients: Clients, { rosId }: CloudStack, page: number): Promise<EventsAnswer> {
  const answer = await observing(() =>
    ifThere(() =>
      clients.call<EventsAnswer>({
        service: 'ros',
        action: 'ListStackEvents',
        query: { StackId: rosId, PageNumber: page, PageSize: pageSize },
      }),
    ),
  );
  return answer ?? {};
}

/** Reads the events of the last operation, newest first. New events move others to later pages, so some come twice. */
async function readLastOperation(clients: Clients, stack: CloudStack): Promise<EventRow[]> {
  const events = new Map<string, EventRow>();
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await readPage(clients, stack, page);
    const { Events: rows = [] } = answer;
    for (const event of rows) {
      events.set(event.EventId ?? '', event);
      if (isStack(event, stack) && started.test(event.Status ?? '')) return [...events.values()];
    }
    if (isLastPage(answer, rows, { page, size: pageSize })) break;
  }
  return [...events.values()];
}

const vendorEvent = (row: EventRow): VendorEvent => ({
  id: row.EventId ?? '',
  at: timeOf(row.CreateTime),
  resource: row.LogicalResourceId ?? '',
  resourceType: row.ResourceType ?? '',
  ...(row.PhysicalResourceId ? { physicalId: row.PhysicalResourceId } : {}),
  state: row.Status ?? '',
  message: row.StatusReason ?? '',
});

const failed = /^(CREATE|UPDATE|DELETE)_FAILED$/;

/** The words of ROS start with the kind of the error and the resource, which is named in front of them. */
const failureOf = ({
  LogicalResourceId: id = '',
  ResourceType: type = '',
  StatusReason = '',
}: EventRow): string => {
  const words = StatusReason.replace(/^\w*Exception: /, '').replace(`resources.${id}: `, '');
  return `${id} (${type}): ${words}`;
};

const firstFailure = (rows: readonly EventRow[], stack: CloudStack): string => {
  const found = rows.find((row) => failed.test(row.Status ?? '') && !isStack(row, stack));
  return found ? failureOf(found) : '';
};

/** The failures of the last attempt to undo the operation. */
function undoFailure(rows: readonly EventRow[], stack: CloudStack): string {
  const start = rows.findLastIndex((row) => isStack(row, stack) && isUndoing(row.Status ?? ''));
  return start < 0 ? '' : firstFailure(rows.slice(start), stack);
}

export async function readHistory(clients: Clients, stack: CloudStack): Promise<OperationHistory> {
  const rows = (await readLastOperation(clients, stack)).toReversed();
  const undone = rows.findIndex((row) => isStack(row, stack) && isUndoing(row.Status ?? ''));
  const deleted = rows
    .slice(0, undone < 0 ? undefined : undone)
    .filter((row) => !isStack(row, stack) && row.Status?.startsWith('DELETE_'));
  return {
    events: rows.map(vendorEvent),
    reason: firstFailure(rows, stack),
    undoFailure: undoFailure(rows, stack),
    deleted: [...new Set(deleted.map(({ LogicalResourceId: id = '' }) => id))],
  };
}
