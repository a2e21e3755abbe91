import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';

/** Maps the listeners and health checks of a load balancer to AWS. */

export type Listener = LoadBalancer['listeners'][number];

/** A load balancer of unspecified kind is an application load balancer, which has more features, if all listeners use HTTP. */
export const isApplication = ({ kind, listeners }: LoadBalancer): boolean =>
  kind !== 'network' && listeners.every(({ protocol }) => protocol === 'http' || protocol === 'https');

export const isEncrypted = ({ protocol }: Listener): boolean => protocol === 'https' || protocol === 'ssl';

export const listenerProtocol = (balancer: LoadBalancer, listener: Listener): string => {
  const [plain, encrypted] = isApplication(balancer) ? ['HTTP', 'HTTPS'] : ['TCP', 'TLS'];
  return isEncrypted(listener) ? encrypted : plain;
};

/** The protocol to the servers. A network load balancer passes on traffic that it does not decrypt. */
export const targetProtocol = (balancer: LoadBalancer, listener: Listener): string => {
  const encrypts = listener.instanceProtocol === 'https' || listener.instanceProtocol === 'ssl';
  if (isApplication(balancer)) return encrypts ? 'HTTPS' : 'HTTP';
  return encrypts && isEncrypted(listener) ? 'TLS' : 'TCP';
};

/** The first listener's layer and server port among load balancers that count requests: application load balancers do. */
export const requestBalancer = (layers: readonly Layer[]): { flag: string; port: number } | undefined =>
  layers.flatMap(({ flag, loadBalancer }) =>
    loadBalancer && isApplication(loadBalancer)
      ? loadBalancer.listeners.map(({ instancePort }) => ({ flag, port: instancePort }))
      : [],
  )[0];

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
