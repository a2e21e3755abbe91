import { isDeepStrictEqual } from 'node:util';
import type { DockerDocument } from '../document.ts';
import { onEngine, shortId } from '../names.ts';
import type { Running, Standing } from '../running.ts';
import { type IsLetGo, isInOrder, placesOf, planFleet, stopTimeoutSeconds } from './fleet.ts';
import { kindOf, planService, planStop, standingFor } from './service.ts';
import { letGoBy, wantedConfiguration } from './serving.ts';
import type { Step, Tidying } from './steps.ts';

/**
 * From what is wanted and what runs to what to do next, all of which may be done at once. Pure, and made anew from what
 * then runs after every wave: being broken off anywhere is no special case.
 */
export function nextWave(stackId: string, document: DockerDocument, running: Running): Step[] {
  const ground = groundSteps(stackId, document, running);
  if (ground.length > 0) return ground;
  const isLetGo = letGoBy(document, running);
  return [
    ...staleMarkers(running),
    ...orphanSteps(running),
    ...document.services.flatMap((service) => planService(stackId, service, running)),
    ...document.balancers.flatMap((balancer) => planService(stackId, balancer, running)),
    ...document.fleets.flatMap((fleet) => planFleet(stackId, fleet, running, isLetGo)),
    ...configureSteps(document, running),
    ...surplusSteps(stackId, document, running, isLetGo),
  ];
}

function groundSteps(stackId: string, { volumes }: DockerDocument, running: Running): Step[] {
  const missing = volumes.filter(
    (volume) => !running.volumes.some(({ name }) => name === onEngine(stackId, volume)),
  );
  return [
    ...(running.hasNetwork ? [] : [{ do: 'make-network' } as const]),
    ...missing.map((volume): Step => ({ do: 'make-volume', volume })),
  ];
}

const staleMarkers = ({ markers }: Running): Step[] =>
  markers.slice(1).map(({ container }) => ({ do: 'remove', container, seconds: 0 }));

const removals = (standing: readonly Standing[], seconds: number): Tidying[] =>
  standing.map(({ id }) => ({ do: 'remove', container: id, seconds }));

const instanceIds = ({ containers }: Running): string[] =>
  containers.filter(({ kind }) => kind === 'instance').map(({ id }) => shortId(id));

/** What agents made outlives them: applications go after their instance, which would start them again. */
function orphanSteps(running: Running): Step[] {
  const ids = instanceIds(running);
  const apps = running.containers.filter(({ kind, instance }) => kind === 'app' && !ids.includes(instance));
  const volumes = running.volumes.filter(
    ({ instance }) =>
      instance !== '' &&
      !ids.includes(instance) &&
      !running.containers.some((standing) => standing.instance === instance),
  );
  return [
    ...removals(apps, stopTimeoutSeconds),
    ...volumes.map(({ name }): Step => ({ do: 'remove-volume', volume: name })),
  ];
}

const configureSteps = (document: DockerDocument, running: Running): Step[] =>
  document.balancers.flatMap((balancer): Step[] => {
    const { current } = standingFor(balancer, running);
    const text = wantedConfiguration(balancer, document, running);
    if (current?.state !== 'running' || current.configuration === text) return [];
    return [{ do: 'configure', container: current.id, text }];
  });

/** Parts that the document no longer has. */
export function surplusOf(document: DockerDocument, running: Running): Standing[] {
  const wanted = new Set([
    ...[...document.services, ...document.balancers].map((part) => `${kindOf(part)} ${part.name}`),
    ...document.fleets.flatMap(({ slots }) => slots.map(({ name }) => `instance ${name}`)),
  ]);
  return running.containers.filter(({ kind, part }) => kind !== 'app' && !wanted.has(`${kind} ${part}`));
}

export const surplusVolumes = (stackId: string, document: DockerDocument, { volumes }: Running): string[] => {
  const wanted = new Set(document.volumes.map((volume) => onEngine(stackId, volume)));
  return volumes.filter(({ name, instance }) => instance === '' && !wanted.has(name)).map(({ name }) => name);
};

/** What nobody wants goes when everything else is in service; before that only what serves nobody. */
function surplusSteps(stackId: string, document: DockerDocument, running: Running, isLetGo: IsLetGo): Step[] {
  const surplus = surplusOf(document, running);
  const useless = surplus.filter(
    ({ kind, state, phase }) => kind === 'instance' && (state === 'ended' || phase.kind === 'starting'),
  );
  if (!isInService(document, running)) return removals(useless, 0);
  const [instances, others] = [
    surplus.filter((standing) => standing.kind === 'instance' && !useless.includes(standing)),
    surplus.filter((standing) => standing.kind !== 'instance'),
  ];
  const volumes = surplus.length > 0 ? [] : surplusVolumes(stackId, document, running);
  return [
    ...removals(useless, 0),
    ...removals(instances.filter(isLetGo), stopTimeoutSeconds),
    ...others.map((standing) => planStop(document, standing, running)),
    ...volumes.map((volume): Step => ({ do: 'remove-volume', volume })),
  ];
}

/** Everything the document wants is there and works. What is there besides does not matter. */
export function isInService(document: DockerDocument, running: Running): boolean {
  const places = document.fleets.flatMap((fleet) => placesOf(fleet, running));
  const works = document.services.every((service) => {
    const { current, others } = standingFor(service, running);
    return current?.state === 'running' && current.ready && others.length === 0;
  });
  const balances = document.balancers.every((balancer) => {
    const { current } = standingFor(balancer, running);
    return (
      current?.state === 'running' &&
      current.configuration === wantedConfiguration(balancer, document, running)
    );
  });
  return works && balances && places.every(isInOrder);
}

export const isSettled = (document: DockerDocument, running: Running): boolean =>
  isInService(document, running) && surplusOf(document, running).length === 0;

/** Everything goes: first what runs, then what it used, and last the word of what the stack was. */
export function nextRemoval({ containers, volumes, hasNetwork, markers }: Running): Tidying[] {
  if (containers.length > 0) return removals(containers, 0);
  const ground: Tidying[] = volumes.map(({ name }) => ({ do: 'remove-volume', volume: name }));
  if (hasNetwork) ground.push({ do: 'remove-network' });
  if (ground.length > 0) return ground;
  return markers.toReversed().map(({ container }): Tidying => ({ do: 'remove', container, seconds: 0 }));
}

/** Whether the engine was told of exactly this wish. */
export const isNoted = (
  { markers: [newest] }: Running,
  wish: { version: string; doing: 'apply' | 'remove'; document: DockerDocument },
): boolean =>
  newest?.version === wish.version &&
  newest.doing === wish.doing &&
  isDeepStrictEqual(newest.document, wish.document);
