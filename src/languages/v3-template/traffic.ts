import type { Static } from 'typebox';
import { at } from '../../basics/problem.ts';
import type { AclRule, Layer, TrafficRule } from '../../model/stack-model.ts';
import { defaultIngress, everythingOut, lastPort } from '../defaults.ts';
import { standInText } from '../read-by-schema.ts';
import type { Report } from '../report.ts';
import type { TemplateLayer } from './schema.ts';
import type { aclRule, trafficRule } from './schema-provision.ts';

/** The ports of a rule. Protocols without ports, and -1 (any), give the whole range. */
const readPorts = (
  rule: Static<typeof trafficRule>,
  path: string,
  report: Report,
): readonly [number, number] => {
  const { from_port: from, to_port: to = from } = rule;
  const hasPorts = rule.ip_protocol === 'tcp' || rule.ip_protocol === 'udp';
  if (!hasPorts)
    return from === undefined || from === -1 || to === -1 || isAll(rule) ? [0, lastPort] : [from, to ?? from];
  if (from === undefined) report(at(path, 'from_port'), `is required for ${rule.ip_protocol}.`);
  if (from === -1)
    report(at(path, 'from_port'), `must be an integer from 0 to ${lastPort} for ${rule.ip_protocol}.`);
  if (to === -1 && from !== -1)
    report(at(path, 'to_port'), `must be an integer from 0 to ${lastPort} for ${rule.ip_protocol}.`);
  return [Math.max(from ?? 0, 0), Math.max(to ?? 0, 0)];
};

const isAll = (rule: Static<typeof trafficRule>): boolean =>
  rule.ip_protocol === 'all' || rule.ip_protocol === '-1';

const compileTrafficRule = (rule: Static<typeof trafficRule>, path: string, report: Report): TrafficRule => {
  const [fromPort, toPort] = readPorts(rule, path, report);
  if (fromPort > toPort) report(at(path, 'to_port'), `must not be less than from_port (${fromPort}).`);
  return {
    protocol: rule.ip_protocol === '-1' ? 'all' : rule.ip_protocol,
    fromPort,
    toPort,
    cidr: rule.cidr_ip,
  };
};

export const compileSecurityGroup = (
  layer: TemplateLayer,
  path: string,
  report: Report,
): Layer['securityGroup'] => {
  const group = layer.provision?.security_group;
  const compileRules = (direction: 'ingress' | 'egress', otherwise: readonly TrafficRule[]) =>
    group?.[direction]?.map((rule, index) => compileTrafficRule(rule, at(path, direction, index), report)) ??
    otherwise;
  return {
    ingress: compileRules(
      'ingress',
      group ? [] : defaultIngress(layer.role, layer.provision?.keypair ?? true),
    ),
    egress: compileRules('egress', [everythingOut]),
  };
};

/** Protocol numbers, which network ACL rules use. */
const protocolNumbers: Readonly<Record<string, string>> = { all: '-1', icmp: '1', tcp: '6', udp: '17' };

const compileAclRule = (rule: Static<typeof aclRule>, path: string, report: Report): AclRule => {
  const protocol = protocolNumbers[rule.protocol.toLowerCase()] ?? rule.protocol;
  const number = /^(?:-1|\d{1,3})$/.test(protocol) ? Number(protocol) : 256;
  if (number > 255 && rule.protocol !== standInText)
    report(at(path, 'protocol'), 'must be -1 (all), tcp, udp, icmp or a protocol number from 0 to 255.');
  return {
    number: rule.rule_number,
    protocol,
    action: rule.rule_action,
    egress: rule.acl_egress ?? false,
    cidr: rule.cidr_block,
  };
};

export const compileNetworkAcl = (layer: TemplateLayer, path: string, report: Report): readonly AclRule[] => {
  const rules = (layer.provision?.network_acl ?? []).map((rule, index) =>
    compileAclRule(rule, at(path, index), report),
  );
  const seen = new Set<string>();
  for (const [index, { number, egress }] of rules.entries()) {
    const key = `${number} ${egress}`;
    if (seen.has(key))
      report(
        at(path, index, 'rule_number'),
        `is a duplicate: ${number}. Each rule of a direction needs a unique number.`,
      );
    seen.add(key);
  }
  return rules;
};
