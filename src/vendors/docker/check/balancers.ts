import { at, type Problem } from '../../../basics/problem.ts';
import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { targetOf } from '../compile/front.ts';

/** What stands in front of a layer speaks plain HTTP or TCP: a machine of one's own has no certificates to show. */
export function balancerProblems({ loadBalancer }: Layer, path: string): Problem[] {
  if (!loadBalancer) return [];
  return [...listenerProblems(loadBalancer, path), ...checkProblems(loadBalancer, path)];
}

const isPlain = (protocol: string): boolean => protocol === 'http' || protocol === 'tcp';

function listenerProblems({ listeners }: LoadBalancer, path: string): Problem[] {
  if (listeners.length === 0)
    return [{ path: at(path, 'listeners'), message: 'A load balancer needs a listener.' }];
  return listeners.flatMap(({ protocol, instanceProtocol, port }, index) => {
    const here = at(path, 'listeners', index);
    const problems: Problem[] = [];
    if (!isPlain(protocol))
      problems.push({
        path: at(here, 'protocol'),
        message: `The docker vendor has no certificates for ${protocol}. Use http or tcp.`,
      });
    if (!isPlain(instanceProtocol))
      problems.push({
        path: at(here, 'instanceProtocol'),
        message: `The load balancer speaks http or tcp to instances, not ${instanceProtocol}.`,
      });
    if (port === 0) problems.push({ path: at(here, 'port'), message: 'Nothing can listen on port 0.' });
    if (listeners.findIndex((other) => other.port === port) !== index)
      problems.push({ path: at(here, 'port'), message: `Another listener has port ${port} already.` });
    return problems;
  });
}

function checkProblems({ healthCheck: { target } }: LoadBalancer, path: string): Problem[] {
  if (targetOf(target)) return [];
  const message = `The load balancer cannot check ${target}. It can TCP:80 or HTTP:80/path, for example.`;
  return [{ path: at(path, 'healthCheck/target'), message }];
}
