import type { VendorEvent } from '../../vendor.ts';
import { instanceStem, shortId, stackName } from '../names.ts';
import type { Kind, ObservedStack, StackContainer } from '../observed-stack.ts';

const resourceTypes: Readonly<Record<Kind, string>> = {
  instance: 'Instance',
  balancer: 'LoadBalancer',
  database: 'DatabaseInstance',
  cache: 'CacheNode',
  app: 'Container',
};

/**
 * Events derived from the containers that exist. An engine keeps no history: removed containers have no events, and the
 * time of an event after the creation is known only sometimes.
 */
export const eventsOf = (stackId: string, { containers }: ObservedStack): VendorEvent[] =>
  containers
    .filter(({ kind }) => kind !== 'app')
    .flatMap((container) => eventsOfContainer(stackId, container))
    .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));

function eventsOfContainer(stackId: string, container: StackContainer): VendorEvent[] {
  const { kind, createdAt, phase, ready } = container;
  const id = shortId(container.id);
  const resource = instanceStem(container.name).slice(stackName(stackId).length + 1);
  const event = (state: string, at: number, message: string): VendorEvent => ({
    id: `${id}:${state}`,
    at,
    resource,
    resourceType: resourceTypes[kind],
    state,
    message,
  });
  const events = [event('CREATE_IN_PROGRESS', createdAt, `Created container ${id}.`)];
  const isInService = kind === 'instance' ? phase.kind !== 'starting' : kind === 'balancer' || ready;
  if (isInService) events.push(event('CREATE_COMPLETE', createdAt, `${id} is in service.`));
  if (phase.kind === 'leaving')
    events.push(event('LEAVING', phase.since, `${id} will be removed when its replacement is in service.`));
  return events;
}
