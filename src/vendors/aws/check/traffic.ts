import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem } from '../../../model/ipv4-block.ts';
import type { AclRule, Layer, TrafficRule } from '../../../model/stack-model.ts';
import { protocolNumber } from '../compile/traffic-rules.ts';

/** Problems of a layer's security group and network ACL rules. */
export function trafficProblems(layer: Layer, index: number): Problem[] {
  const path = at('layers', index);
  const { ingress, egress } = layer.securityGroup;
  return [
    ...ingress.flatMap((rule, number) => ruleProblems(rule, at(path, 'securityGroup/ingress', number))),
    ...egress.flatMap((rule, number) => ruleProblems(rule, at(path, 'securityGroup/egress', number))),
    ...layer.networkAcl.flatMap((rule, number) =>
      aclProblems(layer.networkAcl, rule, at(path, 'networkAcl', number)),
    ),
  ];
}

const cidrProblems = (cidr: string, path: string): Problem[] => {
  const cidrError = cidrProblem(cidr);
  return cidrError ? [{ path: at(path, 'cidr'), message: `${cidr} ${cidrError}` }] : [];
};

const maxIcmpType = 255;
const lastPort = 65535;

function ruleProblems({ protocol, fromPort, toPort, cidr }: TrafficRule, path: string): Problem[] {
  const problems = cidrProblems(cidr, path);
  if (fromPort > toPort && protocol !== 'icmp')
    problems.push({ path: at(path, 'toPort'), message: `Must not be less than fromPort, ${fromPort}.` });
  const isAnyIcmp = fromPort === 0 && toPort === lastPort;
  if (protocol === 'icmp' && !isAnyIcmp && Math.max(fromPort, toPort) > maxIcmpType)
    problems.push({ path: at(path, 'fromPort'), message: 'ICMP types must be between 0 and 255.' });
  return problems;
}

function aclProblems(rules: readonly AclRule[], rule: AclRule, path: string): Problem[] {
  const { protocol, number, egress, cidr } = rule;
  const problems = cidrProblems(cidr, path);
  if (protocolNumber(protocol) === null)
    problems.push({
      path: at(path, 'protocol'),
      message: `Unknown protocol ${protocol}. Use a name or a number.`,
    });
  if (rules.find((other) => other.number === number && other.egress === egress) !== rule)
    problems.push({ path: at(path, 'number'), message: `Rule number ${number} is used twice.` });
  return problems;
}
