import type { Operation, ResourceStatus } from '../../../model/status.ts';
import type { ResourceEvent } from '../../../store/stacks/events.ts';
import type { DeclaredResource } from '../../../vendors/resources.ts';

/** The last operation of a stack. */
export interface LastOperation {
  operation: Operation;
  phase: 'IN_PROGRESS' | 'COMPLETE' | 'FAILED';
  /** The number of the event that requested it. */
  requestedAt: number;
}

/** A resource, and what the operation has to do to it. */
export interface ConcernedResource extends DeclaredResource {
  /** `none`: an update leaves it as it is. */
  task: 'create' | 'update' | 'delete' | 'none';
  /** The last event of everything that had its name, and the failures of the operation; oldest first. */
  events: readonly ResourceEvent[];
}

export interface JudgedStatus {
  status: ResourceStatus;
  /** What the status follows from; undefined: no event names the resource in this state. */
  event: ResourceEvent | undefined;
}

/** States of vendors. Any other means that the resource is ready. */
const statesOf: readonly [RegExp, ResourceStatus][] = [
  [/_FAILED$/, 'failed'],
  [/^DELETE_COMPLETE$|^TERMINATED$/, 'deleted'],
  [/^DELETE_IN_PROGRESS$|^LEAVING$|^DRAINING$/, 'deleting'],
  [/^DELETE_SKIPPED$|^KEPT$/, 'kept'],
  [/^(CREATE|IMPORT)_IN_PROGRESS$|^REPLACEMENT_LAUNCHED$/, 'creating'],
  [/_IN_PROGRESS$|^REBOOTING$/, 'updating'],
];

const statusIn = ({ status }: ResourceEvent): ResourceStatus =>
  statesOf.find(([pattern]) => pattern.test(status))?.[1] ?? 'complete';

const endings: ReadonlySet<ResourceStatus> = new Set(['deleting', 'deleted', 'kept']);
const isEnding = (event: ResourceEvent): boolean => endings.has(statusIn(event));

/**
 * The last event about what has the resource's name now. A replaced resource has the name as well until it is removed, and is
 * distinguished by the vendor's id. Before the vendor knows an id, events have none.
 */
export function currentEvent(events: readonly ResourceEvent[]): ResourceEvent | undefined {
  const lastWithId = events.findLastIndex(({ physical_id: id }) => id !== null);
  const known = events.filter(({ physical_id: id }, index) => id !== null || index > lastWithId);
  const last = known.at(-1);
  const alive = known.findLast((event) => !isEnding(event));
  return alive && last?.physical_id !== alive.physical_id ? alive : last;
}

/** A failure stays visible while the vendor undoes the operation, unless the resource is tried again. */
function failureOf(
  { events }: ConcernedResource,
  { operation, phase, requestedAt }: LastOperation,
): ResourceEvent | undefined {
  if (operation === 'DELETE' || phase === 'COMPLETE') return undefined;
  const since = events.filter(({ number }) => number > requestedAt);
  const failed = since.findLastIndex((event) => statusIn(event) === 'failed');
  const isRetried = since.slice(failed + 1).some(({ status }) => status.startsWith('CREATE_'));
  return isRetried ? undefined : since[failed];
}

/** Without an event of the operation. */
function untouched({ task }: ConcernedResource, { operation, phase }: LastOperation): ResourceStatus {
  if (phase === 'COMPLETE') return operation === 'DELETE' ? 'deleted' : 'complete';
  if (task === 'none') return 'complete';
  if (phase === 'IN_PROGRESS') return 'waiting';
  return task === 'create' ? 'absent' : 'complete';
}

/** The operation is over, so what it did to the resource is as well. A group may still change its servers on its own. */
function afterwards(event: ResourceEvent, { operation }: LastOperation): ResourceStatus {
  const status = statusIn(event);
  if (operation === 'DELETE') return status === 'kept' ? 'kept' : 'deleted';
  return /^(CREATE|UPDATE|DELETE)_/.test(event.status) ? 'complete' : status;
}

function judgeAlone(resource: ConcernedResource, last: LastOperation): JudgedStatus {
  const failure = failureOf(resource, last);
  if (failure) return { status: 'failed', event: failure };
  const event = currentEvent(resource.events);
  if (event && event.number > last.requestedAt)
    return { status: last.phase === 'COMPLETE' ? afterwards(event, last) : statusIn(event), event };
  const status = untouched(resource, last);
  return { status, event: status === 'complete' ? event : undefined };
}

/** What something else needs that has begun is ready, though no event says so: networks of an engine have no events. */
const hasBegun: ReadonlySet<ResourceStatus> = new Set(['creating', 'updating', 'complete']);

/** The status of every resource. Pure. */
export function judgeResources(
  resources: readonly ConcernedResource[],
  last: LastOperation,
): Map<ConcernedResource, JudgedStatus> {
  const judged = new Map(resources.map((resource) => [resource, judgeAlone(resource, last)]));
  if (last.operation === 'DELETE') return judged;
  const needed = new Set(
    [...judged]
      .filter(([{ task }, { status, event }]) => task === 'create' && event && hasBegun.has(status))
      .flatMap(([{ dependsOn }]) => dependsOn),
  );
  for (const [resource, { status }] of judged)
    if (status === 'waiting' && resource.task === 'create' && needed.has(resource.name))
      judged.set(resource, { status: 'complete', event: undefined });
  return judged;
}
