import { at, type Problem } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';

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
