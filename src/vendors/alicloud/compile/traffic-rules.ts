import type { AclRule, Layer, LoadBalancer, TrafficRule } from '../../../model/stack-model.ts';
import { balancerLayers } from '../../shared/layers.ts';
import { reachedPorts } from '../../shared/listeners.ts';
import { balancerAddresses } from '../catalog.ts';
import { type Properties, ref } from '../document.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

/** Network ACLs of VSwitches and security groups of servers. */

const anywhere = '0.0.0.0/0';
const allPorts = '-1/-1';
const lastPort = 65535;

const aclProtocols: Readonly<Record<string, string>> = {
  '-1': 'all',
  '1': 'icmp',
  '6': 'tcp',
  '17': 'udp',
  '47': 'gre',
  all: 'all',
  icmp: 'icmp',
  tcp: 'tcp',
  udp: 'udp',
  gre: 'gre',
};

/** By name or number; undefined: network ACLs do not know it. */
export const aclProtocol = (protocol: string): string | undefined => aclProtocols[protocol.toLowerCase()];

const portsOf = (protocol: string): string =>
  protocol === 'tcp' || protocol === 'udp' ? `1/${lastPort}` : allPorts;

function aclEntry({ protocol, action, egress, cidr }: AclRule): Properties {
  const named = aclProtocol(protocol) ?? 'all';
  return {
    Protocol: named,
    Port: portsOf(named),
    Policy: action === 'allow' ? 'accept' : 'drop',
    [egress ? 'DestinationCidrIp' : 'SourceCidrIp']: cidr,
  };
}

/** The order of the list decides. What no rule names is dropped, as the last rule says. */
const aclEntries = (rules: readonly AclRule[], egress: boolean): Properties[] =>
  [
    ...rules.filter((rule) => rule.egress === egress).toSorted((one, other) => one.number - other.number),
    { number: 0, protocol: 'all', action: 'deny', egress, cidr: anywhere } as const,
  ].map(aclEntry);

/** Without rules there is no ACL, and everything passes. */
export const networkAcl = (_: Context, { flag, networkAcl: rules }: Layer): Entry[] =>
  rules.length === 0
    ? []
    : [
        [
          names.networkAcl(flag),
          {
            Type: 'ALIYUN::VPC::NetworkAcl',
            Properties: {
              VpcId: ref(names.network),
              IngressAclEntries: aclEntries(rules, false),
              EgressAclEntries: aclEntries(rules, true),
            },
          },
        ],
        [
          names.networkAclAssociation(flag),
          {
            Type: 'ALIYUN::VPC::NetworkAclAssociation',
            Properties: {
              NetworkAclId: ref(names.networkAcl(flag)),
              Resources: [{ ResourceId: ref(names.subnet(flag)), ResourceType: 'VSwitch' }],
            },
          },
        ],
      ];

/** Alibaba Cloud has no types of ICMP, and no port 0. */
const portRange = ({ protocol, fromPort, toPort }: TrafficRule): string =>
  protocol === 'tcp' || protocol === 'udp' ? `${Math.max(1, fromPort)}/${toPort}` : allPorts;

const ruleOf = (rule: TrafficRule, member: 'SourceCidrIp' | 'DestCidrIp'): Properties => ({
  IpProtocol: rule.protocol,
  PortRange: portRange(rule),
  [member]: rule.cidr,
  Policy: 'accept',
  Priority: 1,
});

const everything = (rule: TrafficRule): boolean => rule.protocol === 'all' && rule.cidr === anywhere;

/** A security group lets everything out that no rule forbids. */
const nothingElse: Properties = {
  IpProtocol: 'all',
  PortRange: allPorts,
  DestCidrIp: anywhere,
  Policy: 'drop',
  Priority: 100,
};

const openPort = (port: number, cidr: string): TrafficRule => ({
  protocol: 'tcp',
  fromPort: port,
  toPort: port,
  cidr,
});

/** Packets of a tcp listener keep the address of the client. Others, and checks, come from the load balancer's own addresses. */
function fromBalancer({ model }: Context, balancer: LoadBalancer): TrafficRule[] {
  const clients = balancer.scheme === 'internal' ? model.networkCidr : anywhere;
  const passed = balancer.listeners.filter(({ protocol }) => protocol === 'tcp');
  return [
    ...reachedPorts(balancer).map((port) => openPort(port, balancerAddresses)),
    ...passed.map(({ instancePort }) => openPort(instancePort, clients)),
  ];
}

const distinct = (rules: readonly Properties[]): Properties[] => [
  ...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values(),
];

/** The layer's rules, and access for its load balancers. */
export function layerSecurityGroup(context: Context, layer: Layer): Entry {
  const { ingress, egress } = layer.securityGroup;
  const fromBalancers = balancerLayers(context.model, layer).flatMap(({ loadBalancer }) =>
    loadBalancer ? fromBalancer(context, loadBalancer) : [],
  );
  const out = egress.map((rule) => ruleOf(rule, 'DestCidrIp'));
  return [
    names.securityGroup(layer.flag),
    {
      Type: 'ALIYUN::ECS::SecurityGroup',
      Properties: {
        VpcId: ref(names.network),
        SecurityGroupType: 'normal',
        SecurityGroupIngress: distinct(
          [...ingress, ...fromBalancers].map((rule) => ruleOf(rule, 'SourceCidrIp')),
        ),
        SecurityGroupEgress: distinct(egress.some(everything) ? out : [...out, nothingElse]),
      },
    },
  ];
}
