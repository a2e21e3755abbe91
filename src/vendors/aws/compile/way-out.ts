import type { AclRule, Layer, TrafficRule } from '../../../model/stack-model.ts';
import { guardsOf, homesOf } from '../layout/placement.ts';
import { protocolNumber } from './borders.ts';
import type { Checked } from './context.ts';

/** Whether servers can fetch their agent and tell CloudFormation that they are up. Where not, nobody must wait for it. */

const anywhere = '0.0.0.0/0';
const https = 443;

/** A public subnet gives servers a way out only with addresses of their own; a private one has a NAT gateway. */
export const hasRoute = ({ subnet }: Layer): boolean => !subnet.public || subnet.assignPublicIp;

const letsOut = ({ protocol, fromPort, toPort, cidr }: TrafficRule, port: number): boolean =>
  cidr === anywhere && (protocol === 'all' || (protocol === 'tcp' && fromPort <= port && port <= toPort));

const isAboutTcp = ({ protocol }: AclRule): boolean => [-1, 6].includes(protocolNumber(protocol) ?? 0);

/** The first rule that is about everywhere decides; those about some addresses are not looked at. */
const borderLets = (rules: readonly AclRule[], egress: boolean): boolean => {
  const [first] = rules
    .filter((rule) => rule.egress === egress && rule.cidr === anywhere && isAboutTcp(rule))
    .toSorted((one, other) => one.number - other.number);
  return first?.action === 'allow';
};

/** Answers come back in through the same border. */
const passesBorder = ({ networkAcl }: Layer): boolean =>
  networkAcl.length === 0 || (borderLets(networkAcl, true) && borderLets(networkAcl, false));

/** Those of AWS, and of Almanac where its address names another. */
const neededPorts = (baseUrl: string): number[] => {
  const own = URL.canParse(baseUrl) ? Number(new URL(baseUrl).port) : 0;
  return [https, own || https];
};

export function canSignal({ model, baseUrl }: Pick<Checked, 'model' | 'baseUrl'>, layer: Layer): boolean {
  const rules = guardsOf(model, layer).flatMap(({ securityGroup }) => securityGroup.egress);
  return (
    homesOf(model, layer).every((home) => hasRoute(home) && passesBorder(home)) &&
    neededPorts(baseUrl).every((port) => rules.some((rule) => letsOut(rule, port)))
  );
}
