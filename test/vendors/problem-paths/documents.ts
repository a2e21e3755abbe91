import { stringify } from 'yaml';
import { isObject } from '../../../src/basics/is-object.ts';
import type { Compiled } from '../../../src/languages/language.ts';
import { compileConfiguration } from '../../../src/languages/v2-configuration/compile.ts';
import { compileTemplate } from '../../../src/languages/v3-template/compile.ts';
import { parseTemplate } from '../../../src/languages/v3-template/parse.ts';
import { documentOf, valueOf } from '../../languages/v2-configuration/documents.ts';

type Members = Readonly<Record<string, unknown>>;

const region = 'ap-northeast-1';
const anywhere = '0.0.0.0/0';

/** Has every member that a vendor can find a problem in. Both languages put the group in the first layer. */
const template: Members = {
  version: '2017-03-03',
  vendor: { aws: { cred: 'KEY', region } },
  configurations: [
    {
      role: 'web',
      flag: 'Web',
      provision: {
        availability_zone: `${region}a`,
        image: 'ami-00000000000000001',
        instance_type: 't3.micro',
        volume_type: 'gp3',
        volume_size: 30,
        subnet: { cidr: '10.0.0.0/24', public: true, auto_assign_public_ip: true },
        network_acl: [{ rule_number: 1, protocol: 'tcp', rule_action: 'allow', cidr_block: anywhere }],
        security_group: {
          ingress: [{ ip_protocol: 'tcp', from_port: 80, to_port: 80, cidr_ip: anywhere }],
          egress: [{ ip_protocol: 'tcp', from_port: 443, to_port: 443, cidr_ip: anywhere }],
        },
        auto_scaling: {
          min: 1,
          max: 2,
          availability_zones: `${region}a,${region}c`,
          subnets: '#share(Api.provision.subnet)',
          security_groups: '#ref(Api.provision.security_group)',
          spot_range: 50,
        },
        load_balancer: {
          subnets: '#share(Web.provision.subnet)',
          security_groups: '#ref(Web.provision.security_group)',
          listeners: [
            { load_balancer_port: 80, protocol: 'http', instance_port: 80, instance_protocol: 'http' },
            { load_balancer_port: 81, protocol: 'http', instance_port: 81, instance_protocol: 'http' },
          ],
          health_check: {
            target: 'TCP:80',
            interval: 10,
            timeout: 5,
            healthy_threshold: 2,
            unhealthy_threshold: 2,
          },
        },
      },
      container: {
        container_image: 'library/nginx',
        container_git_repo: 'https://example.com/code.git',
        container_ports: [80, 81],
        container_storage: { type: 'local', id: 'files', mountpath: '/data' },
      },
    },
    {
      role: 'web',
      flag: 'Api',
      provision: {
        availability_zone: `${region}c`,
        instance_count: 1,
        subnet: { cidr: '10.0.1.0/24' },
        security_group: {},
      },
    },
    {
      role: 'web',
      flag: 'Data',
      provision: {
        instance_count: 0,
        rds: { engine: 'mysql', version: '8.4', storage: 20, db_instance_type: 'db.t4g.micro' },
        elasticache: { engine: 'redis', node_type: 'cache.t4g.micro', nodes: 2 },
      },
    },
  ],
};

/** Other names of the same members. */
const aliasNames: Readonly<Record<string, string>> = {
  rule_number: 'RuleNumber',
  cidr_block: 'CidrBlock',
  cidr_ip: 'CidrIp',
  from_port: 'FromPort',
  to_port: 'ToPort',
  load_balancer_port: 'LoadBalancerPort',
  instance_port: 'InstancePort',
  instance_protocol: 'InstanceProtocol',
  healthy_threshold: 'HealthyThreshold',
  unhealthy_threshold: 'UnhealthyThreshold',
  interval: 'Interval',
  timeout: 'Timeout',
  target: 'Target',
  container_image: 'image',
  container_git_repo: 'gitRepo',
  container_ports: 'ports',
};

function withAliases(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAliases);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [aliasNames[name] ?? name, withAliases(member)]),
  );
}

/** A request as its caller wrote it, and its meaning. */
export interface Sent {
  request: unknown;
  compiled: Compiled;
}

function fromText(text: string, format: 'json' | 'yaml'): Sent {
  const request = valueOf(parseTemplate(text, format));
  return { request, compiled: valueOf(compileTemplate(request, region)) };
}

const configurations = {
  architecture: 'art_elb',
  type: 't2.micro',
  image: 'library/nginx',
  code: 'https://example.com/code.git',
  min: 1,
  max: 2,
  spotRange: 50,
  // Names of these members are case-insensitive.
  database: [{ engine: 'db_mysql', dbtype: 'db.t4g.micro', DBStorage: '20' }],
  elasticache: [{ ElastiCacheEngine: 'Redis', elasticachenodetype: 'cache.t4g.micro', ElastiCacheNodes: 2 }],
};

function configured(sent: object | string): Sent {
  const request = { vendor: 'aws', cred: 'KEY', region, configurations: sent };
  return {
    request: { ...request, configurations },
    compiled: valueOf(compileConfiguration(documentOf(sent), region, request)),
  };
}

export const v3 = {
  JSON: fromText(JSON.stringify(template), 'json'),
  YAML: fromText(stringify(template), 'yaml'),
  'other names of members': fromText(JSON.stringify(withAliases(template)), 'json'),
};
export const v2 = {
  'a configuration': configured(configurations),
  'the text of a configuration': configured(JSON.stringify(configurations)),
};

/** Whether the path leads to a member of the request, or to one missing member of an object in it. */
export function resolves(request: unknown, path: string): boolean {
  let value = request;
  const names = path.split('/');
  for (const [index, name] of names.entries()) {
    if (Array.isArray(value) ? !(Number(name) < value.length) : !isObject(value)) return false;
    const members = value as Members;
    if (!Object.hasOwn(members, name)) return index === names.length - 1;
    value = members[name];
  }
  return true;
}
