import type { Layer, LoadBalancer, StackModel } from '../../model/stack-model.ts';
import { readDesiredModel } from '../../store/stacks/versions.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { findStackOfAgent } from './stack-of-agent.ts';

/** A layer with its own machine image may have its own programs, whose ports the agent must not take. */
const mayHavePage = ({ container, machineImage }: Layer): boolean =>
  container === null && machineImage === null;

const forwardsTo = ({ flag, capacity }: Layer, owner: Layer): boolean =>
  capacity.kind === 'shared' ? capacity.groupOf === owner.flag : flag === owner.flag;

const portsOf = ({ listeners, healthCheck }: LoadBalancer): number[] => [
  ...listeners.map(({ instancePort }) => instancePort),
  Number(/:(\d+)/.exec(healthCheck.target)?.[1] ?? 0),
];

/** The server ports of the load balancers of a layer, and those they check. */
function balancedPorts({ layers }: StackModel, owner: Layer): number[] {
  const ports = layers
    .filter((layer) => forwardsTo(layer, owner))
    .flatMap(({ loadBalancer }) => (loadBalancer ? portsOf(loadBalancer) : []));
  return [...new Set(ports.filter((port) => port > 0))];
}

/** Ports on which agents serve a page while the layer has no container; none if nothing forwards to them. */
export async function readDefaultPagePorts(
  service: Service,
  actor: Actor,
  { stackId, flag }: { stackId: string; flag: string },
): Promise<number[]> {
  const { query } = service.database;
  const stack = await findStackOfAgent(query, actor, { stackId, purpose: 'read' });
  const { model } = await readDesiredModel(query, stack);
  const layer = stack.language === 'v2' ? model.layers[0] : model.layers.find((each) => each.flag === flag);
  return layer && mayHavePage(layer) ? balancedPorts(model, layer) : [];
}
