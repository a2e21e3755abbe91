import type { Balancer, DockerDocument } from '../document.ts';
import { shortId } from '../names.ts';
import type { ObservedStack, StackContainer } from '../observed-stack.ts';
import { type IsDrained, slotStates } from './fleet.ts';
import { configurationOf } from './haproxy-config.ts';
import { containersFor } from './service.ts';

const canServe = ({ state, address, ready }: StackContainer): boolean =>
  state === 'running' && address !== '' && ready;

/**
 * The instances behind a balancer: the current one of each slot once it is ready, until then the outgoing ones.
 * Instances of removed slots serve only while no other instance does.
 */
function backendsOf(balancer: Balancer, document: DockerDocument, observed: ObservedStack): StackContainer[] {
  const fleet = document.fleets.find(({ flag }) => flag === balancer.fleet);
  const states = fleet ? slotStates(fleet, observed) : [];
  const chosen = states.flatMap(({ current, outgoing }) =>
    current && canServe(current) ? [current] : outgoing.filter(canServe),
  );
  if (chosen.length > 0 || states.length === 0) return chosen;
  return observed.containers.filter(
    (container) => container.kind === 'instance' && container.flag === balancer.fleet && canServe(container),
  );
}

export const desiredConfiguration = (
  balancer: Balancer,
  document: DockerDocument,
  observed: ObservedStack,
): string =>
  configurationOf(
    balancer,
    backendsOf(balancer, document, observed).map(({ id, address }) => ({ name: shortId(id), address })),
  );

/** Drained: every running balancer has its final configuration, without the instance, and no connection to it. */
export const isDrainedIn =
  (document: DockerDocument, observed: ObservedStack): IsDrained =>
  (instance) =>
    document.balancers.every((balancer) => {
      const { current, others } = containersFor(balancer, observed);
      if (!current || current.state !== 'running') return true;
      const desired = desiredConfiguration(balancer, document, observed);
      const isBackend = backendsOf(balancer, document, observed).includes(instance);
      const isConnected = [current, ...others].some(({ peers }) => peers.includes(instance.address));
      return !isBackend && current.configuration === desired && !isConnected;
    });
