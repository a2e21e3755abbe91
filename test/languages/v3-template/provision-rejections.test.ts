import { describe, expect, test } from 'vitest';
import { type Members, problemsOf, templateOf, webLayer } from './documents.ts';

const rule = { ip_protocol: 'tcp', from_port: 80, to_port: 80, cidr_ip: '0.0.0.0/0' };
const acl = { rule_number: 1, protocol: '-1', rule_action: 'allow', cidr_block: '0.0.0.0/0' };
const http = { load_balancer_port: 80, protocol: 'HTTP', instance_port: 80 };

describe('an invalid provision is rejected', () => {
  test.each<[string, Members, string]>([
    ['a mistyped member', { subnets: {} }, 'subnets: unknown member; did you mean "subnet"?'],
    ['a count below zero', { instance_count: -1 }, 'instance_count: must be an integer from 0 to 1000.'],
    [
      'an instance_count with a group',
      { instance_count: 1, auto_scaling: {} },
      'instance_count: cannot be combined with auto_scaling; use its min and max.',
    ],
    ['a vpc_id', { vpc_id: 'vpc-1' }, 'vpc_id: must be "${computed}".'],
    [
      'a computed zone',
      { availability_zone: '${computed}' },
      'availability_zone: does not support "${computed}"; write the value.',
    ],
    ['a keypair that is not a boolean', { keypair: 'yes' }, 'keypair: must be true or false.'],
    [
      'a small st1 volume',
      { volume_type: 'st1', volume_size: 30 },
      'volume_size: must be from 500 to 16384 for st1 volumes.',
    ],
    [
      'a large standard volume',
      { volume_type: 'standard', volume_size: '2000' },
      'volume_size: must be from 1 to 1024 for standard volumes.',
    ],
    [
      'an invalid network',
      { subnet: { cidr: '10.0.0.0' } },
      'subnet/cidr: must be an IPv4 network such as 10.0.0.0/24.',
    ],
    [
      'a network with host bits set',
      { subnet: { cidr: '10.0.0.5/24' } },
      'subnet/cidr: has host bits set; use 10.0.0.0/24.',
    ],
    [
      'a subnet outside the network of the stack',
      { subnet: { cidr: '10.1.0.0/24' } },
      "subnet/cidr: must be inside the stack's network, 10.0.0.0/16.",
    ],
    [
      'a subnet too large',
      { subnet: { cidr: '10.0.0.0/8' } },
      "subnet/cidr: must be inside the stack's network, 10.0.0.0/16.",
    ],
    [
      'a subnet too small',
      { subnet: { cidr: '10.0.0.0/29' } },
      'subnet/cidr: is too small; the smallest subnet is /28.',
    ],
    [
      'from_port above to_port',
      { security_group: { ingress: [{ ...rule, to_port: 79 }] } },
      'security_group/ingress/0/to_port: must not be less than from_port (80).',
    ],
    [
      'a port out of range',
      { security_group: { egress: [{ ...rule, from_port: 65536 }] } },
      'security_group/egress/0/from_port: must be an integer from -1 to 65535.',
    ],
    [
      'tcp without ports',
      { security_group: { ingress: [{ ip_protocol: 'tcp', cidr_ip: '0.0.0.0/0' }] } },
      'security_group/ingress/0/from_port: is required for tcp.',
    ],
    [
      'an unknown protocol',
      { security_group: { ingress: [{ ...rule, ip_protocol: 'ipx' }] } },
      'security_group/ingress/0/ip_protocol: must be one of tcp, udp, icmp, all, -1.',
    ],
    [
      'a duplicate network ACL rule number',
      { network_acl: [acl, acl] },
      'network_acl/1/rule_number: is a duplicate: 1. Each rule of a direction needs a unique number.',
    ],
    [
      'an invalid network ACL protocol',
      { network_acl: [{ ...acl, protocol: 'ipx' }] },
      'network_acl/0/protocol: must be -1 (all), tcp, udp, icmp or a protocol number from 0 to 255.',
    ],
    ['min above max', { auto_scaling: { min: 3, max: 2 } }, 'auto_scaling/min: must not exceed max (2).'],
    [
      'a spot share above 100',
      { auto_scaling: { spot_range: 101 } },
      'auto_scaling/spot_range: must be an integer from 0 to 100.',
    ],
    [
      'both spot_range and spot_min or spot_max',
      { auto_scaling: { max: 2, spot_range: 50, spot_max: 1 } },
      'auto_scaling/spot_range: cannot be combined with spot_min or spot_max; keep only spot_range.',
    ],
    [
      'more spot instances than instances',
      { auto_scaling: { max: 2, spot_max: 3 } },
      'auto_scaling/spot_max: must not exceed max (2).',
    ],
    [
      'two targets of a group',
      { auto_scaling: { max: 2, target_cpu: 50, target_requests: 100 } },
      'auto_scaling/target_requests: cannot be combined with target_cpu; keep one of them.',
    ],
    [
      'no zones',
      { auto_scaling: { max: 2, availability_zones: [] } },
      'auto_scaling/availability_zones: must not be empty. Omit it, and the vendor chooses the zones.',
    ],
    [
      'an empty zone',
      { auto_scaling: { availability_zones: 'a,,b' } },
      'auto_scaling/availability_zones: must be zones separated by commas, without empty entries.',
    ],
    [
      'no listener',
      { load_balancer: { listeners: [] } },
      'load_balancer/listeners: must have at least 1 entry.',
    ],
    [
      'https without certificate',
      { load_balancer: { listeners: [{ ...http, protocol: 'HTTPS' }] } },
      'load_balancer/listeners/0/cert_domain: is required for protocol https: the domain of the certificate.',
    ],
    [
      'two listeners on one port',
      { load_balancer: { listeners: [http, http] } },
      'load_balancer/listeners/1/load_balancer_port: is a duplicate: another listener uses port 80.',
    ],
    [
      'an invalid health check target',
      { load_balancer: { health_check: { target: 'HTTP:80' } } },
      'load_balancer/health_check/target: must have the form TCP:80, SSL:443, HTTP:80/path or HTTPS:443/path.',
    ],
    [
      'a health check timeout above its interval',
      { load_balancer: { health_check: { timeout: 10 } } },
      'load_balancer/health_check/timeout: must be less than interval (10).',
    ],
    [
      'a database too large',
      { rds: { engine: 'mysql', storage: 3073 } },
      'rds/storage: must be an integer from 5 to 3072.',
    ],
    [
      'an unknown database engine',
      { rds: { engine: 'oracle', storage: 5 } },
      'rds/engine: must be one of mysql, postgres, postgresql.',
    ],
    [
      'six replicas',
      { rds: { engine: 'mysql', storage: 5, replica: 6 } },
      'rds/replica: must be an integer from 0 to 5.',
    ],
    [
      'seven redis nodes',
      { elasticache: { engine: 'Redis', node_type: 'm', nodes: 7 } },
      'elasticache/nodes: must be at most 6 for redis.',
    ],
  ])('because of %s', (_why, provision, problem) =>
    expect(problemsOf(templateOf(webLayer(provision)))).toEqual([`configurations/0/provision/${problem}`]),
  );
});
