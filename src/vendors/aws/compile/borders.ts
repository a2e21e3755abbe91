import { resourceSuffix } from '../../../model/names.ts';
import type { AclRule, Layer, TrafficRule } from '../../../model/stack-model.ts';
import { attribute, type Properties, ref, type TemplateResource } from '../document.ts';
import { reachedPorts } from '../layout/listeners.ts';
import { frontsOf } from '../layout/placement.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

/** What may pass: rules of subnets' borders and of the servers themselves. */

const lastPort = 65535;

const protocolNumbers: Readonly<Record<string, number>> = { all: -1, icmp: 1, tcp: 6, udp: 17 };

/** A protocol by its number; null where it is neither a known name nor a number of one. */
export const protocolNumber = (protocol: string): number | null => {
  const known = protocolNumbers[protocol.toLowerCase()];
  if (known !== undefined) return known;
  return /^(-1|\d{1,3})$/.test(protocol) && Number(protocol) < 256 ? Number(protocol) : null;
};

/** AWS wants to be told that a rule is about all ports, or about all kinds of icmp. */
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

/** Without rules, those AWS has itself hold: everything passes. */
export function networkAcl({ flag, networkAcl: rules }: Layer): Entry[] {
  if (rules.length === 0) return [];
  const entries = rules.map((rule) => aclEntry(flag, rule));
  return [
    [names.networkAcl(flag), { Type: 'AWS::EC2::NetworkAcl', Properties: { VpcId: ref(names.network) } }],
    ...entries,
    [
      names.networkAclAssociation(flag),
      {
        Type: 'AWS::EC2::SubnetNetworkAclAssociation',
        // A list without rules lets nothing pass, so the subnet gets it when it is complete.
        DependsOn: entries.map(([id]) => id),
        Properties: { SubnetId: ref(names.subnet(flag)), NetworkAclId: ref(names.networkAcl(flag)) },
      },
    ],
  ];
}

/** For icmp AWS's ports are the type and the code, -1 standing for any. */
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

/** A group without rules about what goes out lets everything out. This one matches nothing that ever leaves a server. */
const nothingOut: Properties = { IpProtocol: '-1', CidrIp: '127.0.0.1/32', Description: 'Nothing goes out' };

interface Passes {
  ingress: readonly Properties[];
  egress: readonly Properties[];
}

/** AWS refuses a rule that stands twice. */
const distinct = (rules: readonly Properties[]): Properties[] => [
  ...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values(),
];

export const securityGroup = (description: string, { ingress, egress }: Passes): TemplateResource => ({
  Type: 'AWS::EC2::SecurityGroup',
  Properties: {
    GroupDescription: description,
    VpcId: ref(names.network),
    SecurityGroupIngress: distinct(ingress),
    SecurityGroupEgress: egress.length === 0 ? [nothingOut] : distinct(egress),
  },
});

/** Databases and caches answer the stack's own network and nobody else. */
export const innerSecurityGroup = ({ model }: Context, description: string, port: number): TemplateResource =>
  securityGroup(description, { ingress: [openPort(port, model.networkCidr)], egress: [] });

export const groupId = (logicalId: string) => attribute(logicalId, 'GroupId');

/** A layer's own rules, and what the load balancers before its servers need. */
export function layerSecurityGroup({ model }: Context, layer: Layer): Entry {
  const { ingress, egress } = layer.securityGroup;
  const fromBalancers = frontsOf(model, layer).flatMap(({ flag, loadBalancer }) =>
    (loadBalancer ? reachedPorts(loadBalancer) : []).map((port) => ({
      IpProtocol: 'tcp',
      FromPort: port,
      ToPort: port,
      SourceSecurityGroupId: groupId(names.balancerSecurityGroup(flag)),
    })),
  );
  return [
    names.securityGroup(layer.flag),
    securityGroup(`Servers of layer ${resourceSuffix(layer.flag)}`, {
      ingress: [...ingress.map(openTo), ...fromBalancers],
      egress: egress.map(openTo),
    }),
  ];
}
