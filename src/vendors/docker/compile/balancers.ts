import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { type Balancer, type HealthCheck, hashOf, type Listener } from '../document.ts';
import * as names from '../names.ts';

/** Parses `HTTP:80/path` or `TCP:80`; undefined: another kind of check, or a path that is unsafe in a configuration file. */
export function parseTarget(text: string): Pick<HealthCheck, 'port' | 'path'> | undefined {
  const [, kind, port, path] = /^(HTTP|TCP):(\d{1,5})(\/[\w.~!$&()*+,;=:@%/?-]*)?$/i.exec(text) ?? [];
  if (kind === undefined || Number(port) < 1 || Number(port) > 65535) return undefined;
  return { port: Number(port), path: kind.toUpperCase() === 'HTTP' ? (path ?? '/') : null };
}

/** The haproxy mode of each protocol; null: not supported, because it needs a certificate. */
export const modes: Readonly<Record<LoadBalancer['listeners'][number]['protocol'], Listener['mode'] | null>> =
  {
    http: 'http',
    https: null,
    tcp: 'tcp',
    ssl: null,
  };

function checkOf({ healthCheck, listeners }: LoadBalancer): HealthCheck {
  const { target, ...rest } = healthCheck;
  return { ...(parseTarget(target) ?? { port: listeners[0]?.instancePort ?? 80, path: null }), ...rest };
}

/** The hash covers the listeners' ports: other changes need a new configuration, not a new container. */
export function balancerOf({ flag, capacity, loadBalancer }: Layer): Balancer[] {
  if (!loadBalancer) return [];
  const listeners = loadBalancer.listeners.map(({ port, protocol, instancePort }) => ({
    port,
    mode: modes[protocol] ?? 'tcp',
    instancePort,
  }));
  return [
    {
      name: names.balancerName(flag),
      flag,
      fleet: capacity.kind === 'shared' ? capacity.groupOf : flag,
      listeners,
      check: checkOf(loadBalancer),
      hash: hashOf(listeners.map(({ port }) => port).toSorted((one, other) => one - other)),
    },
  ];
}
