import type { StackEvent } from '../../picture/resource.ts';

/** More would fill the memory of a page that stays open for days. */
export const keptEvents = 2000;

/** Adds events to those known, each once, oldest first. */
export function withNewer(known: readonly StackEvent[], added: readonly StackEvent[]): readonly StackEvent[] {
  const last = known.at(-1)?.event_id ?? 0;
  const fresh = added.filter(({ event_id }) => event_id > last).toSorted((a, b) => a.event_id - b.event_id);
  return fresh.length === 0 ? known : [...known, ...fresh].slice(-keptEvents);
}

/** A sentence for people when an operation ends; null for all other events. */
export function summaryOf({ kind, status }: StackEvent): string | null {
  const [, operation = '', phase = ''] = /^(CREATE|UPDATE|DELETE)_(COMPLETE|FAILED)$/.exec(status) ?? [];
  if (kind !== 'status' || phase === '') return null;
  const word = operation.charAt(0) + operation.slice(1).toLowerCase();
  return `${word} ${phase === 'COMPLETE' ? 'complete' : 'failed'}`;
}

const isRequest = ({ kind, status }: StackEvent): boolean => kind === 'request' && status !== '';

export interface OperationEvents {
  /** The first event: who asked for what. */
  request: StackEvent;
  events: readonly StackEvent[];
}

/** Events by the request that they follow from, newest request first. */
export function byOperation(events: readonly StackEvent[]): OperationEvents[] {
  const operations: { request: StackEvent; events: StackEvent[] }[] = [];
  for (const event of events) {
    const current = operations.at(-1);
    if (isRequest(event) || !current) operations.push({ request: event, events: [event] });
    else current.events.push(event);
  }
  return operations.toReversed();
}

export const isFailure = ({ status, kind }: StackEvent): boolean =>
  status.endsWith('_FAILED') || kind === 'trouble';

/** The resource that failed first in the last operation. Later failures usually follow from it. */
export const firstFailure = (events: readonly StackEvent[]): StackEvent | undefined =>
  byOperation(events)[0]?.events.find(
    ({ kind, status }) => kind === 'resource' && status.endsWith('_FAILED'),
  );

/** The version that the stack reached last. */
export const lastCompleteVersion = (events: readonly StackEvent[]): string | null =>
  events.findLast(({ kind, status }) => kind === 'status' && /^(CREATE|UPDATE)_COMPLETE$/.test(status))
    ?.version_id ?? null;

/** The version that the stack reached last before this one was asked for. What happens later does not change it. */
export function completeBefore(events: readonly StackEvent[], versionId: string): string | null {
  const request = events.findIndex((event) => isRequest(event) && event.version_id === versionId);
  return request < 0 ? null : lastCompleteVersion(events.slice(0, request));
}

export interface Outcome {
  end: 'complete' | 'failed' | 'left' | 'running';
  /** Milliseconds, of an operation that came to its end. */
  took: number | null;
}

const ends: Readonly<Record<string, Outcome['end']>> = { COMPLETE: 'complete', FAILED: 'failed' };

/** How the operation ended that brought the version; null if its events are not known. `left`: another request came first. */
export function outcomeOf(events: readonly StackEvent[], versionId: string): Outcome | null {
  const start = events.findIndex((event) => isRequest(event) && event.version_id === versionId);
  const request = events[start];
  if (!request) return null;
  for (const event of events.slice(start + 1)) {
    const end = event.kind === 'status' ? ends[event.status.split('_').at(-1) ?? ''] : undefined;
    if (end) return { end, took: Date.parse(event.time) - Date.parse(request.time) };
    if (isRequest(event)) return { end: 'left', took: null };
  }
  return { end: 'running', took: null };
}

/** For mail and chat. */
export const asText = (events: readonly StackEvent[]): string =>
  events
    .map(({ time, resource, status, message }) =>
      [time, resource, status, message].filter(Boolean).join('  '),
    )
    .join('\n');
