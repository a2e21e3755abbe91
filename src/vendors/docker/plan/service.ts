import type { Balancer, DockerDocument, Service } from '../document.ts';
import { replicaSlot, serviceContainerName } from '../names.ts';
import { containersOfPart, type Kind, type ObservedStack, type StackContainer } from '../observed-stack.ts';
import type { CleanupStep, Step } from './steps.ts';

/** How long a database may take to shut down cleanly. */
export const serviceStopSeconds = 10;

export const kindOf = (part: Balancer | Service): Kind => ('kind' in part ? part.kind : 'balancer');

/** The container that matches a part of the document, and previous containers of the part. */
export function containersFor(
  part: Balancer | Service,
  observed: ObservedStack,
): { current: StackContainer | undefined; others: StackContainer[] } {
  const found = containersOfPart(observed, kindOf(part), part.name);
  const matching = found.filter(({ hash }) => hash === part.hash);
  const current = matching.find(({ state }) => state === 'running') ?? matching[0];
  return { current, others: found.filter((container) => container !== current) };
}

const hostPortsOf = (containers: readonly StackContainer[]): Record<number, number> =>
  Object.fromEntries(
    containers.flatMap(({ ports }) => ports.map(({ port, hostPort }): [number, number] => [port, hostPort])),
  );

/**
 * One container runs at a time: two cannot share data or ports. The plan creates the new one, removes the old one and
 * starts the new one. An interruption leaves either the old or the new one.
 */
export function planService(stackId: string, part: Balancer | Service, observed: ObservedStack): Step[] {
  const { current, others } = containersFor(part, observed);
  const kind = kindOf(part);
  if (!current) {
    const name = serviceContainerName(stackId, part.name, observed.takenNames);
    const hostPorts = hostPortsOf(others);
    return [{ do: 'create', kind, part: part.name, name, start: others.length === 0, hostPorts }];
  }
  if (others.length > 0)
    return others.map((other) => ({
      do: 'remove',
      container: other.id,
      seconds: serviceStopSeconds,
    }));
  if (current.state === 'created' || current.state === 'ended')
    return [{ do: 'start', container: current.id, kind, part: part.name }];
  return [];
}

/** Removes a service or balancer that is no longer in the document. */
export function planServiceRemoval(
  document: DockerDocument,
  { id, kind, part }: StackContainer,
  observed: ObservedStack,
): CleanupStep {
  const primary = document.services.find(
    ({ name, engine, role }) =>
      kind === 'database' && engine === 'postgresql' && role === 'primary' && part.startsWith(`${name}-`),
  );
  const followed = primary && containersFor(primary, observed).current;
  if (!followed) return { do: 'remove', container: id, seconds: serviceStopSeconds };
  return { do: 'remove-replica', container: id, primary: followed.id, slot: replicaSlot(part) };
}
