import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem } from '../../../model/ipv4-block.ts';
import type { AclRule, Layer, TrafficRule } from '../../../model/stack-model.ts';
import { protocolNumber } from '../compile/borders.ts';

/** What is wrong with a layer's rules about what may pass. */
export function trafficProblems(layer: Layer, index: number): Problem[] {
  const path = at('layers', index);
  const { ingress, egress } = layer.securityGroup;
  return [
    ...ingress.flatMap((rule, at_) => ruleProblems(rule, at(path, 'securityGroup/ingress', at_))),
    ...egress.flatMap((rule, at_) => ruleProblems(rule, at(path, 'securityGroup/egress', at_))),
    ...layer.networkAcl.flatMap((rule, at_) =>
      aclProblems(layer.networkAcl, rule, at(path, 'networkAcl', at_)),
    ),
  ];
}

const cidrProblems = (cidr: string, path: string): Problem[] => {
  const trouble = cidrProblem(cidr);
  return trouble ? [{ path: at(path, 'cidr'), message: `${cidr} ${trouble}` }] : [];
};

const greatestIcmpType = 255;
const lastPort = 65535;

function ruleProblems({ protocol, fromPort, toPort, cidr }: TrafficRule, path: string): Problem[] {
  const problems = cidrProblems(cidr, path);
  if (fromPort > toPort && protocol !== 'icmp')
    problems.push({ path: at(path, 'toPort'), message: `It must not be less than ${fromPort}.` });
  const isAnyIcmp = fromPort === 0 && toPort === lastPort;
  if (protocol === 'icmp' && !isAnyIcmp && Math.max(fromPort, toPort) > greatestIcmpType)
    problems.push({ path: at(path, 'fromPort'), message: 'The types of icmp go from 0 to 255.' });
  return problems;
}

function aclProblems(rules: readonly AclRule[], rule: AclRule, path: string): Problem[] {
  const { protocol, number, egress, cidr } = rule;
  const problems = cidrProblems(cidr, path);
  if (protocolNumber(protocol) === null)
    problems.push({ path: at(path, 'protocol'), message: `${protocol} is no protocol AWS knows by number.` });
  if (rules.find((other) => other.number === number && other.egress === egress) !== rule)
    problems.push({ path: at(path, 'number'), message: `Two rules have the number ${number}.` });
  return problems;
}
