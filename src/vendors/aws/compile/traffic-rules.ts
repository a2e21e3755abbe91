import { resourceSuffix } from '../../../model/names.ts';
import type { AclRule, Layer, TrafficRule } from '../../../model/stack-model.ts';
import { balancerLayers, hasServers } from '../../shared/layers.ts';
import { reachedPorts } from '../../shared/listeners.ts';
import { attribute, type CompiledResource, type Properties, ref } from '../document.ts';

import { layerSubnets } from '../layout/placement.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

/** Network ACLs of subnets and security groups of servers. */

const lastPort = 65535;

const protocolNumbers: Readonly<Record<string, number>> = { all: -1, icmp: 1, tcp: 6, udp: 17 };

/** The number of a protocol given by name or number; null if unknown. */
export const protocolNumber = (protocol: string): number | null => {
  const known = protocolNumbers[protocol.toLowerCase()];
  if (known !== undefined) return known;
  return /^(-1|\d{1,3})$/.test(protocol) && Number(protocol) < 256 ? Number(protocol) : null;
};

/** AWS requires an explicit range for all ports, or for all types of ICMP. */
function aclDetails(protocol: number): Properties {
  if (protocol === 6 || protocol === 17) return { PortRange: { From: 0, To: lastPort } };
  return protocol === 1 ? { Icmp: { Type: -1, Code: -1 } } : {};
}

function aclEntry(flag: string, rule: AclRule): Entry {
  const protocol = protocolNumber(rule.protocol) ?? -1;
  return [
    names.networkAclEntry(flag, rule.egress ? 'Out' : 'In', rule.number),
    {
      Type: 'AWS::EC2::NetworkAclEntry',
      Properties: {
        NetworkAclId: ref(names.networkAcl(flag)),
        RuleNumber: rule.number,
        Protocol: protocol,
        RuleAction: rule.action,
        Egress: rule.egress,
        CidrBlock: rule.cidr,
        ...aclDetails(protocol),
      },
    },
  ];
}

/** Without rules, the default ACL of AWS applies, which allows everything. */
export function networkAcl({ choices }: Context, layer: Layer): Entry[] {
  const { flag, networkAcl: rules } = layer;
  if (rules.length === 0) return [];
  const entries = rules.map((rule) => aclEntry(flag, rule));
  return [
    [names.networkAcl(flag), { Type: 'AWS::EC2::NetworkAcl', Properties: { VpcId: ref(names.network) } }],
    ...entries,
    ...layerSubnets(layer, choices).map(
      ({ id }): Entry => [
        names.networkAclAssociation(id),
        {
          Type: 'AWS::EC2::SubnetNetworkAclAssociation',
          // An ACL without entries blocks everything, so associate it after its entries exist.
          DependsOn: entries.map(([entry]) => entry),
          Properties: { SubnetId: ref(id), NetworkAclId: ref(names.networkAcl(flag)) },
        },
      ],
    ),
  ];
}

/** For ICMP the ports are type and code, where -1 means any. */
function portsOf({ protocol, fromPort, toPort }: TrafficRule): Properties {
  if (protocol === 'all') return {};
  if (protocol !== 'icmp') return { FromPort: fromPort, ToPort: toPort };
  if (fromPort === 0 && toPort === lastPort) return { FromPort: -1, ToPort: -1 };
  return { FromPort: fromPort, ToPort: fromPort === toPort ? -1 : toPort };
}

export const openTo = (rule: TrafficRule): Properties => ({
  IpProtocol: rule.protocol === 'all' ? '-1' : rule.protocol,
  ...portsOf(rule),
  CidrIp: rule.cidr,
});

export const openPort = (port: number, cidr: string): Properties =>
  openTo({ protocol: 'tcp', fromPort: port, toPort: port, cidr });

/** A security group without egress rules allows all egress. This rule matches no packet that leaves a server. */
const nothingOut: Properties = { IpProtocol: '-1', CidrIp: '127.0.0.1/32', Description: 'Nothing goes out' };

interface Rules {
  ingress: readonly Properties[];
  egress: readonly Properties[];
}

/** AWS rejects duplicate rules. */
const distinct = (rules: readonly Properties[]): Properties[] => [
  ...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values(),
];

export const securityGroup = (description: string, { ingress, egress }: Rules): CompiledResource => ({
  Type: 'AWS::EC2::SecurityGroup',
  Properties: {
    GroupDescription: description,
    VpcId: ref(names.network),
    SecurityGroupIngress: distinct(ingress),
    SecurityGroupEgress: egress.length === 0 ? [nothingOut] : distinct(egress),
  },
});

/** AWS allows 60 rules in a security group by default. */
const maxSourceGroups = 60;

/** Databases and caches accept connections only from the stack's servers; in a stack of many layers, from its network. */
export function innerSecurityGroup({ model }: Context, description: string, port: number): CompiledResource {
  const sources = model.layers.filter(hasServers).map(({ flag }) => names.securityGroup(flag));
  const ingress =
    sources.length > maxSourceGroups
      ? [openPort(port, model.networkCidr)]
      : sources.map((source) => openToGroup(port, source));
  return securityGroup(description, { ingress, egress: [] });
}

const openToGroup = (port: number, securityGroupId: string): Properties => ({
  IpProtocol: 'tcp',
  FromPort: port,
  ToPort: port,
  SourceSecurityGroupId: groupId(securityGroupId),
});

export const groupId = (logicalId: string) => attribute(logicalId, 'GroupId');

/** The layer's rules, and access for the load balancers of its servers. */
export function layerSecurityGroup({ model }: Context, layer: Layer): Entry {
  const { ingress, egress } = layer.securityGroup;
  const fromBalancers = balancerLayers(model, layer).flatMap(({ flag, loadBalancer }) =>
    (loadBalancer ? reachedPorts(loadBalancer) : []).map((port) =>
      openToGroup(port, names.balancerSecurityGroup(flag)),
    ),
  );
  return [
    names.securityGroup(layer.flag),
    securityGroup(`Servers of layer ${resourceSuffix(layer.flag)}`, {
      ingress: [...ingress.map(openTo), ...fromBalancers],
      egress: egress.map(openTo),
    }),
  ];
}
