import type { VendorEvent } from '../../vendor.ts';
import type { Client } from '../client.ts';
import { observing, unlessDeleted } from '../errors.ts';
import { requireList } from '../rest/require-list.ts';
import { type HeatStack, timeOf } from './list-stacks.ts';
import type { OperationHistory } from './operation-history.ts';
import { readResources } from './resources.ts';
import { pathOf } from './stack-path.ts';

interface EventRow {
  id: string;
  event_time: string;
  resource_name: string;
  physical_resource_id?: string | null;
  resource_status: string;
  resource_status_reason?: string | null;
}

/** Heat keeps 1000 events of a stack. */
const pageSize = 200;
const maxPages = 10;

const isStack = (event: EventRow, { heatId }: HeatStack): boolean => event.physical_resource_id === heatId;
/** Status of the stack itself when an operation starts. An undoing belongs to the update that it undoes. */
const started = /^(CREATE|UPDATE|DELETE|RESUME|SUSPEND|CHECK|ADOPT|RESTORE)_IN_PROGRESS$/;

async function readPage(client: Client, stack: HeatStack, query: string): Promise<readonly EventRow[]> {
  const path = `${pathOf(stack)}/events?${query}`;
  const found = await observing(() =>
    unlessDeleted(() => client.read<{ events?: readonly EventRow[] }>({ service: 'orchestration', path })),
  );
  return found ? requireList(found.events, 'events') : [];
}

/**
 * Reads events, newest first, to one in which the stack itself has such a status. Heat answers an unknown marker with the first
 * page.
 */
async function readBackTo(client: Client, stack: HeatStack, status: RegExp): Promise<EventRow[]> {
  const events = new Map<string, EventRow>();
  let marker = '';
  for (let page = 0; page < maxPages; page += 1) {
    const rows = await readPage(client, stack, `sort_dir=desc&limit=${pageSize}${marker}`);
    const fresh = rows.filter(({ id }) => !events.has(id));
    for (const event of fresh) {
      events.set(event.id, event);
      if (isStack(event, stack) && status.test(event.resource_status)) return [...events.values()];
    }
    const last = rows.at(-1);
    // Known events: the one that the marker names was dropped between the two pages.
    if (rows.length < pageSize || fresh.length < rows.length || !last) break;
    marker = `&marker=${last.id}`;
  }
  return [...events.values()];
}

const eventOf = (row: EventRow, types: ReadonlyMap<string, string>): VendorEvent => ({
  id: row.id,
  at: timeOf(row.event_time),
  resource: row.resource_name,
  resourceType: types.get(row.resource_name) ?? '',
  ...(row.physical_resource_id ? { physicalId: row.physical_resource_id } : {}),
  state: row.resource_status,
  message: row.resource_status_reason ?? '',
});

const failed = /^(CREATE|UPDATE|DELETE|RESUME|ADOPT|RESTORE)_FAILED$/;

/** After a rollback the status of the stack only says that the rollback succeeded. */
const failureIn = (rows: readonly EventRow[], stack: HeatStack): string =>
  rows.find((row) => isStack(row, stack) && failed.test(row.resource_status))?.resource_status_reason ?? '';

const deletedIn = (rows: readonly EventRow[], stack: HeatStack): string[] =>
  rows
    .filter((row) => !isStack(row, stack) && row.resource_status.startsWith('DELETE_'))
    .map((row) => row.resource_name);

/** When Heat last reported anything about a stack; 0: it has no events. */
export async function readLastEventTime(client: Client, stack: HeatStack): Promise<number> {
  const [last] = await readPage(client, stack, 'sort_dir=desc&limit=1');
  return last ? timeOf(last.event_time) : 0;
}

/** What happened to the resources of this name, one after the other. Heat may have dropped the oldest of it. */
export async function readResourceEvents(
  client: Client,
  stack: HeatStack,
  name: string,
): Promise<{ id: string; status: string }[]> {
  const rows = await readPage(client, stack, `sort_dir=asc&resource_name=${encodeURIComponent(name)}`);
  // Heat ignores filters that it does not know.
  return rows
    .filter((row) => row.resource_name === name)
    .map((row) => ({ id: row.physical_resource_id ?? '', status: row.resource_status }));
}

/** Whether Heat still has all events of a stack: the first one is its creation. */
export async function hasAllEvents(client: Client, stack: HeatStack): Promise<boolean> {
  const [first] = await readPage(client, stack, 'sort_dir=asc&limit=1');
  return first !== undefined && isStack(first, stack) && /^(CREATE|ADOPT)_/.test(first.resource_status);
}

const updateStarted = /^(CREATE|UPDATE|ADOPT|RESTORE)_IN_PROGRESS$/;
const updateEnded = /^(CREATE|UPDATE|ADOPT|RESTORE|ROLLBACK)_(COMPLETE|FAILED)$/;

/** How the last operation ended that changed the version of the stack; undefined: its events are gone. */
export async function readLastResult(
  client: Client,
  stack: HeatStack,
): Promise<{ hasFailed: boolean; reason: string } | undefined> {
  const rows = await readBackTo(client, stack, updateStarted);
  const last = rows.find((row) => isStack(row, stack) && updateEnded.test(row.resource_status));
  if (!last) return undefined;
  const hasFailed = /^ROLLBACK_|_FAILED$/.test(last.resource_status);
  return { hasFailed, reason: failureIn(rows, stack) };
}

/** Events of Heat do not have the types of their resources. */
async function readTypes(client: Client, stack: HeatStack): Promise<Map<string, string>> {
  const types = (await readResources(client, stack)).map(({ name, type }) => [name, type] as const);
  return new Map([...types, [stack.stackId, 'OS::Heat::Stack']]);
}

export async function readHistory(client: Client, stack: HeatStack): Promise<OperationHistory> {
  const rows = (await readBackTo(client, stack, started)).toReversed();
  const types = await readTypes(client, stack);
  const events = rows.map((row) => eventOf(row, types));
  return {
    events,
    reason: failureIn(rows, stack),
    deleted: [...new Set(deletedIn(rows, stack))],
    lastAt: events.at(-1)?.at ?? 0,
  };
}
