import type { LoadBalancer } from '../../../model/stack-model.ts';

/** What a load balancer's words mean in AWS. */

export type Listener = LoadBalancer['listeners'][number];

/** AWS has two kinds. One that may be either speaks http wherever all its listeners do: that one knows more. */
export const isApplication = ({ kind, listeners }: LoadBalancer): boolean =>
  kind !== 'network' && listeners.every(({ protocol }) => protocol === 'http' || protocol === 'https');

export const isEncrypted = ({ protocol }: Listener): boolean => protocol === 'https' || protocol === 'ssl';

export const listenerProtocol = (balancer: LoadBalancer, listener: Listener): string => {
  const [plain, encrypted] = isApplication(balancer) ? ['HTTP', 'HTTPS'] : ['TCP', 'TLS'];
  return isEncrypted(listener) ? encrypted : plain;
};

/** How it talks to the servers. What a network balancer does not decrypt it hands on as it came. */
export const targetProtocol = (balancer: LoadBalancer, listener: Listener): string => {
  const encrypts = listener.instanceProtocol === 'https' || listener.instanceProtocol === 'ssl';
  if (isApplication(balancer)) return encrypts ? 'HTTPS' : 'HTTP';
  return encrypts && isEncrypted(listener) ? 'TLS' : 'TCP';
};

export interface HealthTarget {
  protocol: string;
  port: number;
  /** Null where only a connection is tried. */
  path: string | null;
}

/** `HTTP:80/path` or `TCP:80`; null when it is neither. */
export function readHealthTarget(target: string): HealthTarget | null {
  const [, protocol = '', port = '', path = ''] =
    /^(TCP|SSL|HTTP|HTTPS):(\d{1,5})(\/.*)?$/.exec(target) ?? [];
  if (protocol === '' || Number(port) < 1 || Number(port) > 65535) return null;
  const asksPage = protocol.startsWith('HTTP');
  return { protocol, port: Number(port), path: asksPage ? path || '/' : null };
}

/** Ports of the servers that a balancer reaches. */
export const reachedPorts = ({ listeners, healthCheck }: LoadBalancer): number[] => {
  const checked = readHealthTarget(healthCheck.target)?.port;
  return [...new Set([...listeners.map(({ instancePort }) => instancePort), ...(checked ? [checked] : [])])];
};
