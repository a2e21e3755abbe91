import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem, contains, parseBlock } from '../../../model/ipv4-block.ts';
import type { AclRule, Layer, TrafficRule } from '../../../model/stack-model.ts';
import type { Context } from '../compile/context.ts';

/** Problems of a layer's security group and network ACL rules. */
export function trafficProblems({ dialect }: Context, layer: Layer, path: string): Problem[] {
  const { ingress, egress } = layer.securityGroup;
  return [
    ...ingress.flatMap((rule, number) => ruleProblems(rule, at(path, 'securityGroup/ingress', number))),
    ...egress.flatMap((rule, number) => ruleProblems(rule, at(path, 'securityGroup/egress', number))),
    ...layer.networkAcl.flatMap((rule, number) =>
      isWithoutEffect(layer, rule)
        ? []
        : [
            {
              path: at(path, 'networkAcl', number),
              message: `${dialect.label} has no network ACLs, and this rule restricts more than the security group. Write the rule in the security group.`,
            },
          ],
    ),
  ];
}

const maxIcmpType = 255;
const lastPort = 65535;

function ruleProblems({ protocol, fromPort, toPort, cidr }: TrafficRule, path: string): Problem[] {
  const cidrError = cidrProblem(cidr);
  const problems: Problem[] = cidrError ? [{ path: at(path, 'cidr'), message: `${cidr} ${cidrError}` }] : [];
  if (fromPort > toPort && protocol !== 'icmp')
    problems.push({ path: at(path, 'toPort'), message: `Must not be less than fromPort, ${fromPort}.` });
  if (toPort === 0 && (protocol === 'tcp' || protocol === 'udp'))
    problems.push({ path: at(path, 'toPort'), message: 'Port 0 cannot be opened alone. Name other ports.' });
  const isAnyIcmp = fromPort === 0 && toPort === lastPort;
  if (protocol === 'icmp' && !isAnyIcmp && Math.max(fromPort, toPort) > maxIcmpType)
    problems.push({ path: at(path, 'fromPort'), message: 'ICMP types must be between 0 and 255.' });
  return problems;
}

const protocolNumbers: Readonly<Record<string, string>> = {
  '-1': 'all',
  '1': 'icmp',
  '6': 'tcp',
  '17': 'udp',
};

/** Whether an ACL rule lets everything pass that a rule of the security group allows. */
function covers(acl: AclRule, { protocol, cidr }: TrafficRule): boolean {
  const named = protocolNumbers[acl.protocol] ?? acl.protocol.toLowerCase();
  const [outer, inner] = [parseBlock(acl.cidr), parseBlock(cidr)];
  return (named === 'all' || named === protocol) && Boolean(outer && inner && contains(outer, inner));
}

/** A list of allowed traffic has no effect where the security group allows no more than it. */
function isWithoutEffect({ networkAcl, securityGroup }: Layer, rule: AclRule): boolean {
  if (rule.action === 'deny') return false;
  const allowed = networkAcl.filter(({ egress, action }) => egress === rule.egress && action === 'allow');
  const rules = rule.egress ? securityGroup.egress : securityGroup.ingress;
  return rules.every((each) => allowed.some((acl) => covers(acl, each)));
}
