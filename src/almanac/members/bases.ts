import type { Document, Samples } from './variants.ts';

/** Documents in which every member has, or could have, an effect. Members are changed in them one at a time. */

const container = {
  container_image: 'example/app',
  track: 'example/app:latest',
  container_registry_username: 'someone',
  container_registry_password: 'secret',
  container_code_dir: '/srv',
  container_git_repo: 'https://git.example.com/app.git',
  container_git_reference: 'main',
  container_git_private_key: 'key',
  container_ports: [80, 8443],
  container_env_vars: { MODE: 'live' },
  container_secrets: { DB_PASSWORD: 'db-password', TLS_KEY: { secret: 'tls-key', as: 'file' } },
  container_users: [{ name: 'ann', public_key: 'ssh-ed25519 AAAA' }],
  container_addons: [{ name: 'mackerel', api_key: 'key' }],
  container_storage: { type: 'local', mountpath: '/data' },
};

const group = {
  role: 'web',
  flag: 'Web',
  provision: {
    availability_zone: 'us-east-1a',
    instance_type: 't3.micro',
    subnet: { cidr: '10.0.1.0/24', public: true, auto_assign_public_ip: true },
    security_group: {
      ingress: [{ ip_protocol: 'tcp', from_port: 80, to_port: 80, cidr_ip: '0.0.0.0/0' }],
      egress: [{ ip_protocol: 'tcp', from_port: 443, to_port: 443, cidr_ip: '0.0.0.0/0' }],
    },
    auto_scaling: { min: 2, max: 4, availability_zones: 'us-east-1a', cooldown: 300, spot_range: 50 },
    load_balancer: {
      lb_type: 'application',
      listeners: [
        { load_balancer_port: 80, protocol: 'http', instance_port: 80 },
        { load_balancer_port: 443, protocol: 'https', instance_port: 8443, cert_domain: 'www.example.com' },
      ],
      health_check: { target: 'HTTP:80/', interval: 20 },
    },
    rds: { engine: 'postgres', storage: 50, db_instance_type: 'db.t4g.small', version: '16', replica: 1 },
    elasticache: { engine: 'redis', node_type: 'cache.t4g.micro', nodes: 2 },
  },
  container,
};

const servers = {
  role: 'web',
  flag: 'Other',
  provision: {
    availability_zone: 'us-east-1b',
    instance_type: 't3.micro',
    instance_count: 2,
    volume_type: 'io1',
    volume_size: 40,
    keypair: true,
    subnet: { cidr: '10.0.2.0/24' },
    network_acl: [
      { rule_number: 100, protocol: '-1', rule_action: 'allow', cidr_block: '0.0.0.0/0' },
      { rule_number: 110, protocol: '-1', rule_action: 'allow', acl_egress: true, cidr_block: '0.0.0.0/0' },
    ],
  },
};

const shared = {
  role: 'web',
  flag: 'Second',
  provision: { availability_zone: 'us-east-1b', auto_scaling: '#share(Web.provision.auto_scaling)' },
};

/** Leaves open what the first group sets. */
const plainGroup = {
  role: 'web',
  flag: 'Web',
  provision: {
    auto_scaling: { min: 2, max: 4, availability_zones: 'us-east-1a' },
    rds: { engine: 'mysql', storage: 20 },
    elasticache: { engine: 'memcached', node_type: 'cache.t4g.micro' },
  },
};

const tcp = {
  role: 'web',
  flag: 'Web',
  provision: {
    availability_zone: 'us-east-1a',
    instance_count: 1,
    load_balancer: {
      lb_type: 'network',
      listeners: [{ load_balancer_port: 22, protocol: 'tcp', instance_port: 22 }],
      health_check: { target: 'TCP:22' },
    },
  },
};

const template = (...configurations: object[]): Document => ({ version: '2017-03-03', configurations });

export const v3Bases: readonly Document[] = [
  template(group, servers),
  template(plainGroup, shared),
  template(tcp),
];

/** Layers and zones that the documents above have, and values that their formats accept. */
export const v3Samples: Samples = {
  cidr: ['10.0.77.0/24'],
  availability_zone: ['us-east-1c'],
  image: ['ami-0123456789abcdef0'],
  availability_zones: ['us-east-1b'],
  instance_type: ['m5.large'],
  volume_type: ['gp2'],
  subnets: ['#share(Web.provision.subnet,Other.provision.subnet)', '#share(Other.provision.subnet)'],
  security_groups: ['#ref(Other.provision.security_group)'],
  auto_scaling: ['#share(Web.provision.auto_scaling)'],
  protocol: ['17'],
  cidr_block: ['192.0.2.0/24'],
  cidr_ip: ['192.0.2.0/24'],
  target: ['HTTP:80/health', 'TCP:23'],
  version: ['17'],
  db_instance_type: ['db.r6g.large'],
  node_type: ['cache.r6g.large'],
  container_git_repo: ['https://git.example.com/other.git'],
};

const configuration = {
  architecture: 'art_elb',
  type: 't3.micro',
  image: 'example/app',
  dockerHubUsername: 'someone',
  dockerHubPassword: 'secret',
  min: 2,
  max: 4,
  spotRange: 50,
  code: 'https://git.example.com/app.git',
  gitReference: 'main',
  gitPrivateKey: 'key',
  database: [{ Engine: 'db_mysql', DBtype: 'db.t4g.small', DBStorage: 50, ReadReplica1: true }],
  elasticache: [{ ElastiCacheEngine: 'Redis', ElastiCacheNodeType: 'cache.t4g.micro', ElastiCacheNodes: 2 }],
};

const server = {
  codeDir: '/srv',
  ports: [80],
  environmentVariables: [{ name: 'MODE', value: 'live' }],
  monitoring: 'key',
};

export const v2Bases: readonly Document[] = [
  { configurations: configuration, server },
  {
    configurations: { ...configuration, spotRange: 0, code: 'bucket/app.zip', codeSource: 'object_store' },
    server,
  },
];

export const v2Samples: Samples = {
  type: ['m5.large'],
  region: ['us-east-1'],
  code: ['https://git.example.com/other.git', 'bucket/other.zip'],
  DBtype: ['db.r6g.large'],
  ElastiCacheNodeType: ['cache.r6g.large'],
};
