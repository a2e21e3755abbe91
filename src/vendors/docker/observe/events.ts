import { offsetTime } from '../../../basics/clock.ts';
import type { VendorEvent } from '../../vendor.ts';
import type { KeptVolume } from '../keep/record.ts';
import { shortId, stackName } from '../names.ts';
import type { Kind, ObservedStack, StackContainer } from '../observed-stack.ts';
import type { Size } from '../plan/scaling.ts';

const resourceTypes: Readonly<Record<Kind, string>> = {
  instance: 'Instance',
  balancer: 'LoadBalancer',
  database: 'DatabaseInstance',
  cache: 'CacheNode',
  app: 'Container',
  copy: 'Copy',
};

const containerOf = ({ physicalId, id }: VendorEvent): string => physicalId ?? id;

/**
 * Events derived from the containers that exist. An engine keeps no history: removed containers have no events, and a
 * container is in service since it was first seen so. Each event is recorded once, with the time of its first observation.
 */
export const eventsOf = ({ containers, volumes, markers }: ObservedStack, now: number): VendorEvent[] =>
  [
    ...containers
      .filter(({ kind }) => kind !== 'app' && kind !== 'copy')
      .flatMap((container) => eventsOfContainer(container, now)),
    ...Object.entries(markers[0]?.sizes ?? {}).flatMap(eventOfSize),
    ...volumes.flatMap(({ kept }) => (kept ? [eventOfKept(kept)] : [])),
    // The events of one container keep their order, also at the same time.
  ].toSorted((one, other) => one.at - other.at || containerOf(one).localeCompare(containerOf(other)));

/** None for a size that was only found, after its record was removed by hand. */
function eventOfSize([flag, { size, from, at, percent }]: [string, Size]): VendorEvent[] {
  if (size === from) return [];
  const change = `${size > from ? 'Grows' : 'Shrinks'} from ${from} to ${size} instances`;
  return [
    {
      id: `${flag}:SCALING:${at}`,
      at,
      resource: flag,
      resourceType: 'Group',
      state: 'SCALING',
      message: `${change}: their average CPU use is ${percent} % of a processor.`,
    },
  ];
}

function eventOfKept({ volume, engine, stackId, keptAt, until }: KeptVolume): VendorEvent {
  const end = until === null ? 'until it is removed by hand' : `until ${offsetTime(until)}`;
  return {
    // Another end, set by the operator, is not another event.
    id: `${volume}:KEPT:${keptAt}`,
    at: keptAt,
    resource: volume.slice(stackName(stackId).length + 1),
    resourceType: 'Volume',
    state: 'KEPT',
    message: `The data (${engine}) is kept in volume ${volume} of the machine ${end}.`,
  };
}

function eventsOfContainer(container: StackContainer, now: number): VendorEvent[] {
  const { kind, part, createdAt, phase, ready, version } = container;
  const id = shortId(container.id);
  const event = (state: string, at: number, message: string): VendorEvent => ({
    id: `${id}:${state}`,
    at,
    // The part of the document, not the name of the container: a replacement has another one.
    resource: part,
    resourceType: resourceTypes[kind],
    physicalId: id,
    state,
    message,
  });
  // The version that made the container. Who marked it as leaving is not known.
  const made = (each: VendorEvent): VendorEvent => (version === '' ? each : { ...each, version });
  const events = [made(event('CREATE_IN_PROGRESS', createdAt, `Created container ${id}.`))];
  const isInService = kind === 'instance' ? phase.kind !== 'starting' : kind === 'balancer' || ready;
  const seenAt = Math.max(createdAt, phase.kind === 'leaving' ? phase.since : now);
  if (isInService) events.push(made(event('CREATE_COMPLETE', seenAt, `${id} is in service.`)));
  if (phase.kind === 'leaving')
    events.push(event('LEAVING', phase.since, `${id} will be removed when its replacement is in service.`));
  return events;
}
