import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { isEncrypted, type Listener } from '../../shared/listeners.ts';

/** Maps the listeners and health checks of a load balancer to AWS. */

/** A load balancer of unspecified kind is an application load balancer, which has more features, if all listeners use HTTP. */
export const isApplication = ({ kind, listeners }: LoadBalancer): boolean =>
  kind !== 'network' && listeners.every(({ protocol }) => protocol === 'http' || protocol === 'https');

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
