import type { Balancer, DockerDocument, Service } from '../document.ts';
import { replicaSlot, serviceContainerName } from '../names.ts';
import { type Kind, ofPart, type Running, type Standing } from '../running.ts';
import type { Step, Tidying } from './steps.ts';

/** How long a database may take to end in peace. */
const stopTimeoutSeconds = 10;

export const kindOf = (part: Balancer | Service): Kind => ('kind' in part ? part.kind : 'balancer');

/** The container a part wants, and those it had before. */
export function standingFor(
  part: Balancer | Service,
  running: Running,
): { current: Standing | undefined; others: Standing[] } {
  const found = ofPart(running, kindOf(part), part.name);
  const wanted = found.filter(({ hash }) => hash === part.hash);
  const current = wanted.find(({ state }) => state === 'running') ?? wanted[0];
  return { current, others: found.filter((standing) => standing !== current) };
}

const portsBefore = (others: readonly Standing[]): Record<number, number> =>
  Object.fromEntries(
    others.flatMap(({ ports }) => ports.map(({ port, hostPort }): [number, number] => [port, hostPort])),
  );

/**
 * There is one at a time: two cannot have the same data or the same ports. So the new one is made, then the old one goes,
 * then the new one starts; whoever breaks off in between finds either the old or the new.
 */
export function planService(stackId: string, part: Balancer | Service, running: Running): Step[] {
  const { current, others } = standingFor(part, running);
  const kind = kindOf(part);
  if (!current) {
    const name = serviceContainerName(stackId, part.name, running.takenNames);
    const hostPorts = portsBefore(others);
    return [{ do: 'create', kind, part: part.name, name, start: others.length === 0, hostPorts }];
  }
  if (others.length > 0)
    return others.map(({ id }) => ({ do: 'remove', container: id, seconds: stopTimeoutSeconds }));
  if (current.state === 'created' || current.state === 'ended')
    return [{ do: 'start', container: current.id, kind, part: part.name }];
  return [];
}

/** A service, or a balancer, that the document no longer has. */
export function planStop(document: DockerDocument, { id, kind, part }: Standing, running: Running): Tidying {
  const primary = document.services.find(
    ({ name, engine, role }) =>
      kind === 'database' && engine === 'postgresql' && role === 'primary' && part.startsWith(`${name}-`),
  );
  const followed = primary && standingFor(primary, running).current;
  if (!followed) return { do: 'remove', container: id, seconds: stopTimeoutSeconds };
  return { do: 'remove-replica', container: id, primary: followed.id, slot: replicaSlot(part) };
}
