import { isDeepStrictEqual } from 'node:util';
import type { DockerDocument } from '../document.ts';
import { shortId } from '../names.ts';
import type { Marker, ObservedStack, StackContainer } from '../observed-stack.ts';
import { desiredConfiguration, isDrainedIn } from './backends.ts';
import { planCopies } from './copies.ts';
import { type IsDrained, instanceStopSeconds, isSlotSettled, planFleet, slotStates } from './fleet.ts';
import { containersFor, kindOf, planService, planServiceRemoval } from './service.ts';
import type { CleanupStep, Step } from './steps.ts';
import { keptVolumes, leaveVolumes, neededVolumes, surplusVolumes, type Target } from './volumes.ts';

/**
 * The next steps from the observed to the desired state; all of them can run at once. Pure, and computed again from the
 * observed state after every wave: an interruption is not a special case.
 */
export function nextWave(target: Target, observed: ObservedStack): Step[] {
  const { stackId, document } = target;
  const base = baseSteps(stackId, document, observed);
  if (base.length > 0) return base;
  const copies = planCopies(stackId, document, observed);
  if (copies.isWaiting) return copies.steps;
  const isDrained = isDrainedIn(document, observed);
  return [
    ...staleMarkers(observed),
    ...copies.steps,
    ...orphanSteps(document, observed),
    ...document.services.flatMap((service) => planService(stackId, service, observed)),
    ...document.balancers.flatMap((balancer) => planService(stackId, balancer, observed)),
    ...document.fleets.flatMap((fleet) => planFleet({ stackId, observed }, fleet, isDrained)),
    ...configureSteps(document, observed),
    ...surplusSteps(target, observed, isDrained),
  ];
}

/** The network and the volumes, which containers need. */
const baseSteps = (stackId: string, document: DockerDocument, observed: ObservedStack): Step[] => [
  ...(observed.hasNetwork ? [] : [{ do: 'make-network' } as const]),
  ...neededVolumes(stackId, document, observed),
];

const staleMarkers = ({ markers }: ObservedStack): Step[] =>
  markers.slice(1).map(({ container }) => ({ do: 'remove', container, seconds: 0 }));

const removals = (containers: readonly StackContainer[], seconds: number): CleanupStep[] =>
  containers.map(({ id }) => ({ do: 'remove', container: id, seconds }));

const instanceIds = ({ containers }: ObservedStack): string[] =>
  containers.filter(({ kind }) => kind === 'instance').map(({ id }) => shortId(id));

/** Applications whose instance is gone. */
function orphans(observed: ObservedStack): StackContainer[] {
  const ids = instanceIds(observed);
  return observed.containers.filter(({ kind, instance }) => kind === 'app' && !ids.includes(instance));
}

/** Removes applications after their instance is gone: its agent would start them again. Then the volumes that the agent made. */
function orphanSteps(document: DockerDocument, observed: ObservedStack): Step[] {
  const ids = instanceIds(observed);
  const volumes = observed.volumes.filter(
    ({ instance }) =>
      instance !== '' &&
      !ids.includes(instance) &&
      !observed.containers.some((container) => container.instance === instance),
  );
  return [
    ...removals(orphans(observed), instanceStopSeconds),
    ...leaveVolumes(volumes, { stackId: '', document }),
  ];
}

const configureSteps = (document: DockerDocument, observed: ObservedStack): Step[] =>
  document.balancers.flatMap((balancer): Step[] => {
    const { current } = containersFor(balancer, observed);
    const text = desiredConfiguration(balancer, document, observed);
    if (current?.state !== 'running' || current.configuration === text) return [];
    return [{ do: 'configure', container: current.id, text }];
  });

/** Containers of parts that the document no longer has. */
function surplusContainers(document: DockerDocument, observed: ObservedStack): StackContainer[] {
  const desired = new Set([
    ...[...document.services, ...document.balancers].map((part) => `${kindOf(part)} ${part.name}`),
    ...document.fleets.flatMap(({ slots }) => slots.map(({ name }) => `instance ${name}`)),
    ...document.volumes.map((volume) => `copy ${volume}`),
  ]);
  return observed.containers.filter(({ kind, part }) => kind !== 'app' && !desired.has(`${kind} ${part}`));
}

/** Surplus containers go last, once everything else is in service. Instances that do not serve go at once. */
function surplusSteps(target: Target, observed: ObservedStack, isDrained: IsDrained): Step[] {
  const { document } = target;
  const containers = surplusContainers(document, observed);
  const unused = containers.filter(
    ({ kind, state, phase }) => kind === 'instance' && (state === 'ended' || phase.kind === 'starting'),
  );
  if (!isInService(document, observed)) return removals(unused, 0);
  const instances = containers.filter(
    (container) => container.kind === 'instance' && !unused.includes(container),
  );
  const others = containers.filter(({ kind }) => kind !== 'instance');
  return [
    ...removals(unused, 0),
    ...removals(instances.filter(isDrained), instanceStopSeconds),
    ...others.map((container) => planServiceRemoval(document, container, observed)),
    ...(containers.length + orphans(observed).length > 0 ? [] : surplusVolumes(target, observed)),
  ];
}

/** Everything in the document exists and works. Ignores surplus containers. */
function isInService(document: DockerDocument, observed: ObservedStack): boolean {
  const slots = document.fleets.flatMap((fleet) => slotStates(fleet, observed));
  const servicesReady = document.services.every((service) => {
    const { current, others } = containersFor(service, observed);
    return current?.state === 'running' && current.ready && others.length === 0;
  });
  const balancersReady = document.balancers.every((balancer) => {
    const { current } = containersFor(balancer, observed);
    return (
      current?.state === 'running' &&
      current.configuration === desiredConfiguration(balancer, document, observed)
    );
  });
  return servicesReady && balancersReady && slots.every(isSlotSettled);
}

export const isSettled = (document: DockerDocument, observed: ObservedStack): boolean =>
  isInService(document, observed) && surplusContainers(document, observed).length === 0;

/** Removes containers first, then keeps or removes the volumes and removes the network, and the markers last. */
export function nextRemoval(target: Target, observed: ObservedStack): CleanupStep[] {
  const { containers, hasNetwork, markers } = observed;
  if (containers.length > 0) return removals(containers, 0);
  const base = leaveVolumes(observed.volumes, target);
  base.push(
    ...keptVolumes(observed, target).map(({ name }) => ({ do: 'remove-volume', volume: name }) as const),
  );
  if (hasNetwork) base.push({ do: 'remove-network' });
  if (base.length > 0) return base;
  return markers.toReversed().map(({ container }): CleanupStep => ({ do: 'remove', container, seconds: 0 }));
}

/** Whether the newest marker on the engine has exactly this content. */
export const isRecorded = (
  { markers: [newest] }: ObservedStack,
  content: Pick<Marker, 'version' | 'doing' | 'document'>,
): boolean =>
  newest?.version === content.version &&
  newest.doing === content.doing &&
  isDeepStrictEqual(newest.document, content.document);
