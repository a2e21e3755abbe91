import type { SuccessOf } from '../../contract/route.ts';
import type { listResources } from '../../contract/v3/cloud/resources.ts';
import type { listRollouts } from '../../contract/v3/rollouts.ts';
import type { listEvents } from '../../contract/v3/stacks.ts';
import type { Tone } from '../parts/status/status.ts';

export type StackResources = SuccessOf<typeof listResources>;
export type Resource = StackResources['resources'][number];
export type ResourceStatus = Resource['status'];
export type StackEvent = SuccessOf<typeof listEvents>[number];

/** What the application on a server does. */
export type Application = Pick<
  SuccessOf<typeof listRollouts>['rollouts'][number]['instances'][number],
  'state' | 'reason' | 'serving_revision'
>;

export const tones = {
  waiting: 'none',
  creating: 'work',
  updating: 'work',
  deleting: 'work',
  complete: 'good',
  failed: 'bad',
  deleted: 'none',
  kept: 'warn',
  absent: 'none',
} as const satisfies Record<ResourceStatus, Tone>;

const applicationTones = {
  starting: 'work',
  serving: 'good',
  failing: 'bad',
  unknown: 'none',
} as const satisfies Record<Application['state'], Tone>;

interface Shown {
  status: ResourceStatus;
  application?: Application | null;
}

/** The new container fails, and the one before keeps serving. */
export const keepsServing = ({ state, serving_revision }: Application): boolean =>
  state === 'failing' && serving_revision > 0;

/** A server that is ready looks like its application. */
export function toneOf({ status, application }: Shown): Tone {
  if (status !== 'complete' || !application) return tones[status];
  return keepsServing(application) ? 'warn' : applicationTones[application.state];
}

export const isWorking = (status: ResourceStatus): boolean => tones[status] === 'work';

const byOperation: Readonly<Record<string, readonly [doing: ResourceStatus, done: ResourceStatus]>> = {
  CREATE: ['creating', 'complete'],
  UPDATE: ['updating', 'complete'],
  DELETE: ['deleting', 'deleted'],
};

/** What an event says about its resource; null if it says nothing. */
export function statusAfter({ status }: StackEvent): ResourceStatus | null {
  const [, operation = '', phase] =
    /^(?:.*_)?(CREATE|UPDATE|DELETE)_(IN_PROGRESS|COMPLETE|FAILED)$/.exec(status) ?? [];
  const [doing, done] = byOperation[operation] ?? [null, null];
  if (phase === 'FAILED') return 'failed';
  return phase === 'COMPLETE' ? done : doing;
}

/** The resources with everything that happened since they were read. */
export function withEvents(
  { resources, event_id }: StackResources,
  events: readonly StackEvent[],
): Resource[] {
  const latest = new Map<string, StackEvent>();
  for (const event of events)
    if (event.event_id > event_id && event.resource !== '' && statusAfter(event))
      latest.set(event.resource, event);
  if (latest.size === 0) return resources;
  return resources.map((resource) => {
    const event = latest.get(resource.name);
    const status = event && statusAfter(event);
    if (!event || !status) return resource;
    return { ...resource, status, status_reason: event.message, status_changed_at: event.time };
  });
}

const gravity: readonly ResourceStatus[] = [
  'failed',
  'deleting',
  'updating',
  'creating',
  'waiting',
  'kept',
  'absent',
  'deleted',
  'complete',
];

/** One status for several resources: the one that needs a person most. */
export const worstOf = (statuses: readonly ResourceStatus[]): ResourceStatus =>
  gravity.find((status) => statuses.includes(status)) ?? 'complete';
