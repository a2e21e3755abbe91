import type { Cache, Capacity, Layer, LoadBalancer, TrafficRule } from '../model/stack-model.ts';

/** Defaults and limits that both languages share. */

/** Each stack has its own network, so all stacks can use the same addresses. */
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

const sshPort = 22;
const openPorts = { web: [80, 443, sshPort], bastion: [sshPort] } as const;

/** Without a key pair nobody could sign in through the port for ssh. */
export const defaultIngress = (role: Layer['role'], hasKeyPair: boolean): readonly TrafficRule[] =>
  openPorts[role].filter((port) => port !== sshPort || hasKeyPair || role === 'bastion').map(openPort);

/** Seconds between two scaling steps, and before a new instance's health is checked. */
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

/** Minimum and maximum size of a group. Each defaults to 1, or to the other one where 1 would contradict it. */
export const groupRange = (
  min: number | undefined,
  max: number | undefined,
): Pick<Extract<Capacity, { kind: 'group' }>, 'min' | 'max'> => {
  const lower = min ?? Math.min(1, max ?? 1);
  return { min: lower, max: max ?? Math.max(1, lower) };
};

type Scaling = Extract<Capacity, { kind: 'group' }>['scaling'];

const defaultTargetCpu = 60;

interface ScalingWish {
  isEnabled: boolean | undefined;
  cpu: number | undefined;
  requests: number | undefined;
}

/** What a group scales by. A target may stay in a document while scaling is turned off. */
export const groupScaling = ({ isEnabled = true, cpu, requests }: ScalingWish): Scaling => {
  if (!isEnabled) return null;
  if (requests !== undefined) return { metric: 'requests', target: requests };
  return { metric: 'cpu', target: cpu ?? defaultTargetCpu };
};

/** The path of an image; some clients write it as a URL. */
export const imagePath = (written: string | undefined): string | null =>
  written?.replace(/^https?:\/\//, '') || null;

export const defaultGitReference = 'master';

export const maxCacheNodes: Record<Cache['engine'], number> = { redis: 6, memcached: 20 };
