import type { VendorEvent } from '../../vendor.ts';
import { instanceStem, shortId, stackName } from '../names.ts';
import type { Kind, Running, Standing } from '../running.ts';

const types: Readonly<Record<Kind, string>> = {
  instance: 'Instance',
  balancer: 'LoadBalancer',
  database: 'DatabaseInstance',
  cache: 'CacheNode',
  app: 'Container',
};

/**
 * What the containers that stand tell of themselves. An engine keeps no history, so what is gone tells nothing; and of what
 * came later than its making we know that it happened, but only sometimes when.
 */
export const eventsOf = (stackId: string, { containers }: Running): VendorEvent[] =>
  containers
    .filter(({ kind }) => kind !== 'app')
    .flatMap((standing) => eventsOfOne(stackId, standing))
    .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));

function eventsOfOne(stackId: string, standing: Standing): VendorEvent[] {
  const { kind, createdAt, phase, ready } = standing;
  const id = shortId(standing.id);
  const resource = instanceStem(standing.name).slice(stackName(stackId).length + 1);
  const tell = (state: string, at: number, message: string): VendorEvent => ({
    id: `${id}:${state}`,
    at,
    resource,
    resourceType: types[kind],
    state,
    message,
  });
  const events = [tell('CREATE_IN_PROGRESS', createdAt, `Container ${id} was made.`)];
  const works = kind === 'instance' ? phase.kind !== 'starting' : kind === 'balancer' || ready;
  if (works) events.push(tell('CREATE_COMPLETE', createdAt, `${id} is in service.`));
  if (phase.kind === 'leaving')
    events.push(tell('LEAVING', phase.since, `${id} leaves when another has taken its place.`));
  return events;
}
