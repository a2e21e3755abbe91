import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem } from '../../../model/ipv4-block.ts';
import type { AclRule, Layer, TrafficRule } from '../../../model/stack-model.ts';
import { limits } from '../catalog.ts';
import { aclProtocol } from '../compile/traffic-rules.ts';

/** Problems of a layer's security group and network ACL rules. */
export function trafficProblems(layer: Layer, path: string): Problem[] {
  const { ingress, egress } = layer.securityGroup;
  return [
    ...ingress.flatMap((rule, number) => ruleProblems(rule, at(path, 'securityGroup/ingress', number))),
    ...egress.flatMap((rule, number) => ruleProblems(rule, at(path, 'securityGroup/egress', number))),
    ...layer.networkAcl.flatMap((rule, number) => aclProblems(rule, at(path, 'networkAcl', number))),
    ...aclSizeProblems(layer, at(path, 'networkAcl')),
  ];
}

function ruleProblems({ protocol, fromPort, toPort, cidr }: TrafficRule, path: string): Problem[] {
  const hasPorts = protocol === 'tcp' || protocol === 'udp';
  const problems = blockProblems(cidr, path);
  if (hasPorts && fromPort > toPort)
    problems.push({ path: at(path, 'toPort'), message: `Must not be less than fromPort, ${fromPort}.` });
  if (hasPorts && toPort === 0)
    problems.push({ path: at(path, 'toPort'), message: 'Port 0 cannot be opened alone. Name other ports.' });
  return problems;
}

const blockProblems = (cidr: string, path: string): Problem[] => {
  const cidrError = cidrProblem(cidr);
  return cidrError ? [{ path: at(path, 'cidr'), message: `${cidr} ${cidrError}` }] : [];
};

function aclProblems({ protocol, cidr }: AclRule, path: string): Problem[] {
  const problems = blockProblems(cidr, path);
  if (aclProtocol(protocol) === undefined)
    problems.push({
      path: at(path, 'protocol'),
      message: `Network ACLs of Alibaba Cloud do not know protocol ${protocol}. Use tcp, udp, icmp, gre or all.`,
    });
  return problems;
}

/** One of them drops what no rule names. */
const aclSizeProblems = ({ networkAcl }: Layer, path: string): Problem[] =>
  [true, false].some(
    (egress) => networkAcl.filter((rule) => rule.egress === egress).length >= limits.aclRules,
  )
    ? [
        {
          path,
          message: `A network ACL of Alibaba Cloud has at most ${limits.aclRules - 1} rules for each direction. Combine rules, or use the security group.`,
        },
      ]
    : [];
