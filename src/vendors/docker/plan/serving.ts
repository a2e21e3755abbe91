import type { Balancer, DockerDocument } from '../document.ts';
import { shortId } from '../names.ts';
import type { Running, Standing } from '../running.ts';
import { type IsLetGo, placesOf } from './fleet.ts';
import { configurationOf } from './haproxy-config.ts';
import { standingFor } from './service.ts';

const canServe = ({ state, address, ready }: Standing): boolean =>
  state === 'running' && address !== '' && ready;

/**
 * Who stands behind a balancer: of each place the fresh instance once it is ready, until then the old ones. Instances whose
 * place is no longer wanted serve only where nobody else does.
 */
export function serversBehind(balancer: Balancer, document: DockerDocument, running: Running): Standing[] {
  const fleet = document.fleets.find(({ flag }) => flag === balancer.fleet);
  const places = fleet ? placesOf(fleet, running) : [];
  const chosen = places.flatMap(({ fresh, old }) =>
    fresh && canServe(fresh) ? [fresh] : old.filter(canServe),
  );
  if (chosen.length > 0 || places.length === 0) return chosen;
  return running.containers.filter(
    (standing) => standing.kind === 'instance' && standing.flag === balancer.fleet && canServe(standing),
  );
}

export const wantedConfiguration = (balancer: Balancer, document: DockerDocument, running: Running): string =>
  configurationOf(
    balancer,
    serversBehind(balancer, document, running).map(({ id, address }) => ({ name: shortId(id), address })),
  );

/** Let go of: no balancer is to send it anything, all of them know that, and none still has a connection with it. */
export const letGoBy =
  (document: DockerDocument, running: Running): IsLetGo =>
  (instance) =>
    document.balancers.every((balancer) => {
      const { current, others } = standingFor(balancer, running);
      if (!current || current.state !== 'running') return true;
      const wanted = wantedConfiguration(balancer, document, running);
      const isBehind = serversBehind(balancer, document, running).includes(instance);
      const isConnected = [current, ...others].some(({ peers }) => peers.includes(instance.address));
      return !isBehind && current.configuration === wanted && !isConnected;
    });
