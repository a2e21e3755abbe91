import { at, type Problem } from '../../basics/problem.ts';
import type { LoadBalancer, StackModel } from '../../model/stack-model.ts';

/**
 * Load balancers that forward to a port on which nothing listens, because the container of the servers publishes others.
 * Both ends are reported: either may be the mistake. A container without ports publishes none, which is not a contradiction.
 */
export const portProblems = (model: StackModel): Problem[] =>
  model.layers.flatMap(({ flag, loadBalancer, capacity }, index) => {
    const owner = capacity.kind === 'shared' ? capacity.groupOf : flag;
    const ownerIndex = model.layers.findIndex((layer) => layer.flag === owner);
    const published = model.layers[ownerIndex]?.container?.ports ?? [];
    if (!loadBalancer || published.length === 0) return [];
    const closed = loadBalancer.listeners.flatMap(({ instancePort }, position) =>
      published.includes(instancePort) ? [] : [{ instancePort, position }],
    );
    return closed.flatMap(({ instancePort, position }) => [
      {
        path: at('layers', index, 'loadBalancer/listeners', position, 'instancePort'),
        message: `The load balancer forwards to port ${instancePort}, but the container publishes only ${published.join(', ')}. Forward to one of these, or publish ${instancePort}.`,
      },
      {
        path: at('layers', ownerIndex, 'container/ports'),
        message: `Does not contain port ${instancePort}, to which the load balancer forwards. Add it, or change the load balancer.`,
      },
    ]);
  });

export const invalidPort = 'Ports must be between 1 and 65535.';

/** A listener whose own ports are not possible, or taken by one before it. */
export function listenerPortProblems({ listeners }: LoadBalancer, index: number, path: string): Problem[] {
  const { port = 0, instancePort = 0 } = listeners[index] ?? {};
  const problems: Problem[] = [];
  if (port === 0) problems.push({ path: at(path, 'port'), message: invalidPort });
  if (instancePort === 0) problems.push({ path: at(path, 'instancePort'), message: invalidPort });
  if (listeners.slice(0, index).some((other) => other.port === port))
    problems.push({ path: at(path, 'port'), message: `Another listener already uses port ${port}.` });
  return problems;
}
