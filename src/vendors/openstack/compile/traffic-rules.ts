import { resourceSuffix } from '../../../model/names.ts';
import type { Layer, TrafficRule } from '../../../model/stack-model.ts';
import { balancerLayers, namedLayers } from '../../shared/layers.ts';
import { reachedPorts } from '../../shared/listeners.ts';
import type { Properties, TemplateResource } from '../document.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

const lastPort = 65535;

/** For ICMP the ports are type and code. No ports: all of them. Neutron has no port 0. */
function portsOf({ protocol, fromPort, toPort }: TrafficRule): Properties {
  const isAny = fromPort === 0 && toPort === lastPort;
  if (protocol === 'all' || isAny) return {};
  if (protocol !== 'icmp') return { port_range_min: Math.max(1, fromPort), port_range_max: toPort };
  return { port_range_min: fromPort, ...(fromPort === toPort ? {} : { port_range_max: toPort }) };
}

const ruleOf = (direction: 'ingress' | 'egress', rule: TrafficRule): Properties => ({
  direction,
  ethertype: 'IPv4',
  ...(rule.protocol === 'all' ? {} : { protocol: rule.protocol }),
  ...portsOf(rule),
  remote_ip_prefix: rule.cidr,
});

const openPort = (port: number, cidr: string): TrafficRule => ({
  protocol: 'tcp',
  fromPort: port,
  toPort: port,
  cidr,
});

const everything: TrafficRule = { protocol: 'all', fromPort: 0, toPort: lastPort, cidr: '0.0.0.0/0' };

/** A security group without egress rules lets everything out. No packet that leaves a server matches this rule. */
const nothing: TrafficRule = { ...everything, cidr: '127.0.0.1/32' };

interface Rules {
  ingress: readonly TrafficRule[];
  egress: readonly TrafficRule[];
}

/** Neutron rejects duplicate rules. */
const distinct = (rules: readonly Properties[]): Properties[] => [
  ...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values(),
];

const securityGroup = (description: string, { ingress, egress }: Rules): TemplateResource => ({
  type: 'OS::Neutron::SecurityGroup',
  properties: {
    description,
    rules: distinct([
      ...ingress.map((rule) => ruleOf('ingress', rule)),
      ...(egress.length === 0 ? [nothing] : egress).map((rule) => ruleOf('egress', rule)),
    ]),
  },
});

/** The layer in whose subnet a load balancer is: the first of those it names. */
export const balancerHost = ({ model }: Pick<Context, 'model'>, layer: Layer): Layer =>
  namedLayers(model, layer.loadBalancer?.subnetsOf ?? [], layer)[0] ?? layer;

/** The layer's rules, and access for its load balancers: from their subnets, because their ports belong to the cloud. */
export function layerSecurityGroup(context: Context, layer: Layer): Entry {
  const { ingress, egress } = layer.securityGroup;
  const fromBalancers = balancerLayers(context.model, layer).flatMap((balanced) => {
    const { cidr } = balancerHost(context, balanced).subnet;
    return (balanced.loadBalancer ? reachedPorts(balanced.loadBalancer) : []).map((port) =>
      openPort(port, cidr),
    );
  });
  return [
    names.securityGroup(layer.flag),
    securityGroup(`Servers of layer ${resourceSuffix(layer.flag)}`, {
      ingress: [...ingress, ...fromBalancers],
      egress,
    }),
  ];
}

/** For servers that only the stack's network reaches. They download packages. */
export const innerSecurityGroup = ({ model }: Context, description: string, port: number): TemplateResource =>
  securityGroup(description, { ingress: [openPort(port, model.networkCidr)], egress: [everything] });
