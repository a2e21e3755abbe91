import { isObject } from '../../basics/is-object.ts';
import { at } from '../../basics/problem.ts';
import type { Members } from '../plain-values.ts';
import type { Report } from '../report.ts';

const provision = 'configurations/*/provision';
const container = 'configurations/*/container';

const trafficRule = {
  CidrIp: 'cidr_ip',
  FromPort: 'from_port',
  ToPort: 'to_port',
  IpProtocol: 'ip_protocol',
};

/** Every older spelling, by the place it is used in (`*` is any entry of a list). */
const spellings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${provision}/network_acl/*`]: {
    RuleNumber: 'rule_number',
    Protocol: 'protocol',
    RuleAction: 'rule_action',
    Egress: 'acl_egress',
    CidrBlock: 'cidr_block',
  },
  [`${provision}/security_group/ingress/*`]: trafficRule,
  [`${provision}/security_group/egress/*`]: trafficRule,
  [`${provision}/auto_scaling`]: { spot_to_ondemand_ratio: 'spot_range' },
  [`${provision}/load_balancer/listeners/*`]: {
    LoadBalancerPort: 'load_balancer_port',
    InstancePort: 'instance_port',
    Protocol: 'protocol',
    InstanceProtocol: 'instance_protocol',
    CertDomain: 'cert_domain',
  },
  [`${provision}/load_balancer/health_check`]: {
    HealthyThreshold: 'healthy_threshold',
    UnhealthyThreshold: 'unhealthy_threshold',
    Interval: 'interval',
    Timeout: 'timeout',
    Target: 'target',
  },
  [container]: {
    image: 'container_image',
    dockerHubUsername: 'container_registry_username',
    dockerHubUserName: 'container_registry_username',
    dockerHubPassword: 'container_registry_password',
    codeDir: 'container_code_dir',
    gitRepo: 'container_git_repo',
    container_code_repo: 'container_git_repo',
    gitReference: 'container_git_reference',
    gitPrivateKey: 'container_git_private_key',
    ports: 'container_ports',
    environmentVariables: 'container_env_vars',
    users: 'container_users',
    addon: 'container_addons',
    updated: 'container_updated',
  },
  [`${container}/container_users/*`]: { publicKey: 'public_key' },
  [`${container}/container_addons/*`]: { apiKey: 'api_key' },
};

/** The present spelling of a member of an object that stands at `place`. */
export const presentSpelling = (place: string, member: string): string => {
  const known = spellings[place];
  return known && Object.hasOwn(known, member) ? (known[member] ?? member) : member;
};

/** A path as the document writes it, in present spelling. */
export const presentPath = (path: readonly string[]): readonly string[] => {
  const present: string[] = [];
  let place = '';
  for (const part of path) {
    const spelled = presentSpelling(place, part);
    present.push(spelled);
    place = at(place, /^\d+$/.test(part) ? '*' : spelled);
  }
  return present;
};

export interface Respelled {
  value: Members;
  /** A path in present spelling as the author of the document would write it. */
  asWritten: (path: string) => string;
}

/** The template in present spelling throughout. The same thing said in two spellings is a problem. */
export const respell = (template: Members, report: Report): Respelled => {
  const written = new Map<string, string>();

  const respellMembers = (members: Members, place: string, path: string): Members => {
    const result: Record<string, unknown> = {};
    for (const [member, value] of Object.entries(members)) {
      const present = presentSpelling(place, member);
      const target = at(path, present);
      if (Object.hasOwn(result, present))
        report(
          target,
          `is given twice, as "${written.get(target) ?? present}" and as "${member}"; keep one.`,
        );
      written.set(target, member);
      result[present] = walk(value, at(place, present), target);
    }
    return result;
  };

  const walk = (value: unknown, place: string, path: string): unknown => {
    if (Array.isArray(value))
      return value.map((entry, index) => walk(entry, at(place, '*'), at(path, index)));
    return isObject(value) ? respellMembers(value, place, path) : value;
  };

  const asWritten = (path: string): string => {
    const parts = path.split('/');
    return parts.map((part, index) => written.get(parts.slice(0, index + 1).join('/')) ?? part).join('/');
  };

  return { value: respellMembers(template, '', ''), asWritten };
};
