import type { AclRule, Layer, TrafficRule } from '../../../model/stack-model.ts';
import { hostLayers } from '../../shared/capacity.ts';
import { securityGroupLayers } from '../../shared/layers.ts';
import type { CheckContext } from './context.ts';
import { protocolNumber } from './traffic-rules.ts';

/** Whether servers can download their agent and signal CloudFormation. If not, CloudFormation must not wait for them. */

const anywhere = '0.0.0.0/0';
const https = 443;

/** Servers in a public subnet need a public address to reach the internet; a private subnet has a NAT gateway. */
export const hasInternetRoute = ({ subnet }: Layer): boolean => !subnet.public || subnet.assignPublicIp;

const allowsEgress = ({ protocol, fromPort, toPort, cidr }: TrafficRule, port: number): boolean =>
  cidr === anywhere && (protocol === 'all' || (protocol === 'tcp' && fromPort <= port && port <= toPort));

const isAboutTcp = ({ protocol }: AclRule): boolean => [-1, 6].includes(protocolNumber(protocol) ?? 0);

/** The first rule for all addresses decides; rules for some addresses are ignored. */
const aclAllows = (rules: readonly AclRule[], egress: boolean): boolean => {
  const [first] = rules
    .filter((rule) => rule.egress === egress && rule.cidr === anywhere && isAboutTcp(rule))
    .toSorted((one, other) => one.number - other.number);
  return first?.action === 'allow';
};

/** Responses come back through the same ACL. */
const passesAcl = ({ networkAcl }: Layer): boolean =>
  networkAcl.length === 0 || (aclAllows(networkAcl, true) && aclAllows(networkAcl, false));

/** The ports of AWS and of Almanac. */
const neededPorts = (baseUrl: string): number[] => {
  const almanacPort = URL.canParse(baseUrl) ? Number(new URL(baseUrl).port) : 0;
  return [https, almanacPort || https];
};

export function canSignal(
  { model, baseUrl }: Pick<CheckContext, 'model' | 'baseUrl'>,
  layer: Layer,
): boolean {
  const rules = securityGroupLayers(model, layer).flatMap(({ securityGroup }) => securityGroup.egress);
  return (
    hostLayers(model, layer).every((host) => hasInternetRoute(host) && passesAcl(host)) &&
    neededPorts(baseUrl).every((port) => rules.some((rule) => allowsEgress(rule, port)))
  );
}
