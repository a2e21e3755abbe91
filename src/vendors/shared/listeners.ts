import type { LoadBalancer } from '../../model/stack-model.ts';

export type Listener = LoadBalancer['listeners'][number];

export const isEncrypted = ({ protocol }: Listener): boolean => protocol === 'https' || protocol === 'ssl';

export interface HealthTarget {
  protocol: string;
  port: number;
  /** Null if the check only opens a connection. */
  path: string | null;
}

/** Parses `HTTP:80/path` or `TCP:80`; null if the target has another form. */
export function readHealthTarget(target: string): HealthTarget | null {
  const [, protocol = '', port = '', path = ''] =
    /^(TCP|SSL|HTTP|HTTPS):(\d{1,5})(\/.*)?$/.exec(target) ?? [];
  if (protocol === '' || Number(port) < 1 || Number(port) > 65535) return null;
  const isHttp = protocol.startsWith('HTTP');
  return { protocol, port: Number(port), path: isHttp ? path || '/' : null };
}

/** Server ports that a load balancer connects to. */
export const reachedPorts = ({ listeners, healthCheck }: LoadBalancer): number[] => {
  const checked = readHealthTarget(healthCheck.target)?.port;
  return [...new Set([...listeners.map(({ instancePort }) => instancePort), ...(checked ? [checked] : [])])];
};
