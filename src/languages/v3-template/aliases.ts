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

/** Aliases and the current names of members, by the position of their object (`*`: any entry of a list). */
const aliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': { nickname: 'name' },
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

/** Aliases of the members of the object at `position`. */
export const aliasesAt = (position: string): Readonly<Record<string, string>> => aliases[position] ?? {};

/** The current name of a member of the object at `position`. */
export const currentName = (position: string, member: string): string => {
  const known = aliases[position];
  return known && Object.hasOwn(known, member) ? (known[member] ?? member) : member;
};

/** A path of the document with current names. */
export const currentPath = (path: readonly string[]): readonly string[] => {
  const current: string[] = [];
  let position = '';
  for (const part of path) {
    const name = currentName(position, part);
    current.push(name);
    position = at(position, /^\d+$/.test(part) ? '*' : name);
  }
  return current;
};

interface WithoutAliases {
  value: Members;
  /** Turns a path with current names into the one that the author of the document wrote. */
  asWritten: (path: string) => string;
}

/** The members of an object or list as they were written, by their current names. */
type WrittenNames = Map<string, { name: string; inside: WrittenNames }>;

/** One lookup per part of the path: looking up each beginning of it takes time in the square of its length. */
const asWrittenIn =
  (names: WrittenNames) =>
  (path: string): string => {
    let inside: WrittenNames | undefined = names;
    const parts: string[] = [];
    for (const part of path.split('/')) {
      const known: { name: string; inside: WrittenNames } | undefined = inside?.get(part);
      parts.push(known?.name ?? part);
      inside = known?.inside;
    }
    return parts.join('/');
  };

interface Place {
  position: string;
  path: string;
  names: WrittenNames;
}

/** From an object or list to a member: its part of the position, its current name, and the written one. */
interface Step {
  part: string;
  name: string;
  written: string;
}

const entryStep = (index: number): Step => ({ part: '*', name: String(index), written: String(index) });

/** Renames all aliases to current names. A member set under two names is a problem. */
export const resolveAliases = (template: Members, report: Report): WithoutAliases => {
  const below = ({ position, path, names }: Place, { part, name, written }: Step): Place => {
    const inside: WrittenNames = new Map();
    names.set(name, { name: written, inside });
    return { position: at(position, part), path: at(path, name), names: inside };
  };

  const renameMembers = (members: Members, place: Place): Members => {
    const result: Record<string, unknown> = {};
    for (const [member, value] of Object.entries(members)) {
      const name = currentName(place.position, member);
      if (Object.hasOwn(result, name)) {
        const before = place.names.get(name)?.name ?? name;
        report(at(place.path, name), `is set twice, as "${before}" and as "${member}"; keep one.`);
      }
      result[name] = walk(value, below(place, { part: name, name, written: member }));
    }
    return result;
  };

  const walk = (value: unknown, place: Place): unknown => {
    if (Array.isArray(value)) return value.map((entry, index) => walk(entry, below(place, entryStep(index))));
    return isObject(value) ? renameMembers(value, place) : value;
  };

  const names: WrittenNames = new Map();
  return { value: renameMembers(template, { position: '', path: '', names }), asWritten: asWrittenIn(names) };
};
