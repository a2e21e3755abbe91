import { at, type Problem } from '../../../basics/problem.ts';
import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { modes, parseTarget } from '../compile/balancers.ts';

/** Balancers support plain HTTP and TCP only: the docker vendor has no certificates. */
export function balancerProblems({ loadBalancer }: Layer, path: string): Problem[] {
  if (!loadBalancer) return [];
  return [...listenerProblems(loadBalancer, path), ...checkProblems(loadBalancer, path)];
}

function listenerProblems({ listeners }: LoadBalancer, path: string): Problem[] {
  if (listeners.length === 0)
    return [{ path: at(path, 'listeners'), message: 'A load balancer requires at least one listener.' }];
  return listeners.flatMap(({ protocol, instanceProtocol, port }, index) => {
    const here = at(path, 'listeners', index);
    const problems: Problem[] = [];
    if (modes[protocol] === null)
      problems.push({
        path: at(here, 'protocol'),
        message: `The docker vendor does not support ${protocol} listeners: it has no certificates. Use http or tcp.`,
      });
    if (modes[instanceProtocol] === null)
      problems.push({
        path: at(here, 'instanceProtocol'),
        message: `Instance protocol ${instanceProtocol} is not supported. Use http or tcp.`,
      });
    if (port === 0)
      problems.push({ path: at(here, 'port'), message: 'Port 0 is not a valid listener port.' });
    if (listeners.findIndex((other) => other.port === port) !== index)
      problems.push({ path: at(here, 'port'), message: `Another listener already uses port ${port}.` });
    return problems;
  });
}

function checkProblems({ healthCheck: { target } }: LoadBalancer, path: string): Problem[] {
  if (parseTarget(target)) return [];
  const message = `Health check target ${target} is not supported. Examples: TCP:80, HTTP:80/path.`;
  return [{ path: at(path, 'healthCheck/target'), message }];
}
