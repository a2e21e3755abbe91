import type { Cache, Capacity, Layer, LoadBalancer, TrafficRule } from '../model/stack-model.ts';

/** What both languages mean by the same words, and by silence. */

/** Every stack has a network of its own, so all of them can have the same addresses. */
export const networkCidr = '10.0.0.0/16';

const anywhere = '0.0.0.0/0';

export const lastPort = 65535;

export const everythingOut: TrafficRule = { protocol: 'all', fromPort: 0, toPort: lastPort, cidr: anywhere };

const openPort = (port: number): TrafficRule => ({
  protocol: 'tcp',
  fromPort: port,
  toPort: port,
  cidr: anywhere,
});

const openPorts = { web: [80, 443, 22], bastion: [22] } as const;

export const defaultIngress = (role: Layer['role']): readonly TrafficRule[] => openPorts[role].map(openPort);

/** Seconds between two scaling steps, and before a new instance's health counts. */
export const groupTimes = { cooldownSeconds: 360, healthCheckGraceSeconds: 360 } as const;

export const defaultListener: LoadBalancer['listeners'][number] = {
  port: 80,
  protocol: 'http',
  instancePort: 80,
  instanceProtocol: 'http',
  certificateDomain: null,
};

export const defaultHealthCheck: LoadBalancer['healthCheck'] = {
  target: 'TCP:80',
  intervalSeconds: 10,
  timeoutSeconds: 5,
  healthyThreshold: 2,
  unhealthyThreshold: 10,
};

/** Fewest and most instances of a group: one, or as many as the other of the two asks for. */
export const groupRange = (
  min: number | undefined,
  max: number | undefined,
): Pick<Extract<Capacity, { kind: 'group' }>, 'min' | 'max'> => {
  const fewest = min ?? Math.min(1, max ?? 1);
  return { min: fewest, max: max ?? Math.max(1, fewest) };
};

/** An image's path; some clients write it as an address. */
export const imagePath = (written: string | undefined): string | null =>
  written?.replace(/^https?:\/\//, '') || null;

export const defaultGitReference = 'master';

export const maxCacheNodes: Record<Cache['engine'], number> = { redis: 6, memcached: 20 };
