import { at } from '../../basics/problem.ts';
import type { Origins } from '../locate.ts';

/** The members of a template that the members of the model are made from. Those of layers are below the layer. */

type Names = Readonly<Record<string, string | readonly string[]>>;

/** `names`: the members below `model`, and the members below `template` that they are made from. */
const below = (model: string, template: string, names: Names): Origins =>
  Object.fromEntries(
    Object.entries(names).map(([member, name]) => [
      at(model, member),
      [name].flat().map((each) => at(template, each)),
    ]),
  );

const trafficRule = {
  '': '',
  protocol: 'ip_protocol',
  fromPort: 'from_port',
  toPort: 'to_port',
  cidr: 'cidr_ip',
};

const network: Origins = {
  ...below('', 'provision', {
    zone: 'availability_zone',
    instanceType: 'instance_type',
    machineImage: 'image',
    volume: ['volume_size', 'volume_type'],
    'volume/type': 'volume_type',
    'volume/sizeGib': 'volume_size',
    keyPair: 'keypair',
    subnet: 'subnet',
    'subnet/cidr': 'subnet/cidr',
    'subnet/public': 'subnet/public',
    'subnet/assignPublicIp': 'subnet/auto_assign_public_ip',
    networkAcl: 'network_acl',
    securityGroup: 'security_group',
    'securityGroup/ingress': 'security_group/ingress',
    'securityGroup/egress': 'security_group/egress',
  }),
  ...below('networkAcl/*', 'provision/network_acl/*', {
    '': '',
    number: 'rule_number',
    protocol: 'protocol',
    action: 'rule_action',
    egress: 'acl_egress',
    cidr: 'cidr_block',
  }),
  ...below('securityGroup/ingress/*', 'provision/security_group/ingress/*', trafficRule),
  ...below('securityGroup/egress/*', 'provision/security_group/egress/*', trafficRule),
};

const capacity = below('capacity', 'provision', {
  '': ['auto_scaling', 'instance_count'],
  count: 'instance_count',
  groupOf: 'auto_scaling',
  min: 'auto_scaling/min',
  max: 'auto_scaling/max',
  spotPercent: ['auto_scaling/spot_range', 'auto_scaling/spot_max', 'auto_scaling/spot_min'],
  zones: ['auto_scaling/availability_zones', 'availability_zone'],
  'zones/*': ['auto_scaling/availability_zones/*', 'availability_zone'],
  subnetsOf: 'auto_scaling/subnets',
  securityGroupsOf: 'auto_scaling/security_groups',
  scaling: ['auto_scaling/target_requests', 'auto_scaling/target_cpu', 'auto_scaling/scaling'],
  'scaling/metric': ['auto_scaling/target_requests', 'auto_scaling/target_cpu', 'auto_scaling/scaling'],
  'scaling/target': ['auto_scaling/target_cpu', 'auto_scaling/target_requests', 'auto_scaling/scaling'],
  cooldownSeconds: 'auto_scaling/cooldown',
  healthCheckGraceSeconds: 'auto_scaling/healthcheck_grace_period',
});

const balancer: Origins = {
  ...below('loadBalancer', 'provision/load_balancer', {
    '': '',
    kind: 'lb_type',
    scheme: 'scheme',
    subnetsOf: 'subnets',
    securityGroupsOf: 'security_groups',
    listeners: 'listeners',
    healthCheck: 'health_check',
  }),
  ...below('loadBalancer/listeners/*', 'provision/load_balancer/listeners/*', {
    '': '',
    port: 'load_balancer_port',
    protocol: 'protocol',
    instancePort: 'instance_port',
    instanceProtocol: 'instance_protocol',
    certificateDomain: 'cert_domain',
  }),
  ...below('loadBalancer/healthCheck', 'provision/load_balancer/health_check', {
    target: 'target',
    intervalSeconds: 'interval',
    timeoutSeconds: 'timeout',
    healthyThreshold: 'healthy_threshold',
    unhealthyThreshold: 'unhealthy_threshold',
  }),
};

const container = below('container', 'container', {
  '': '',
  image: 'container_image',
  track: 'track',
  registryUsername: 'container_registry_username',
  registryPasswordSecret: 'container_registry_password',
  codeDirectory: 'container_code_dir',
  codeSource: 'container_git_repo',
  gitRepository: 'container_git_repo',
  gitReference: 'container_git_reference',
  gitPrivateKeySecret: 'container_git_private_key',
  ports: 'container_ports',
  'ports/*': 'container_ports/*',
  environment: 'container_env_vars',
  accountSecrets: 'container_secrets',
  // The template has them by name, not in a list.
  'accountSecrets/*': 'container_secrets',
  'accountSecrets/*/name': 'container_secrets',
  'accountSecrets/*/secret': 'container_secrets',
  'accountSecrets/*/as': 'container_secrets',
  users: 'container_users',
  'users/*': 'container_users/*',
  'users/*/name': 'container_users/*/name',
  'users/*/publicKey': 'container_users/*/public_key',
  addons: 'container_addons',
  'addons/*': 'container_addons/*',
  'addons/*/name': 'container_addons/*/name',
  'addons/*/apiKeySecret': 'container_addons/*/api_key',
  storage: 'container_storage',
  'storage/kind': 'container_storage/type',
  'storage/id': 'container_storage/id',
  'storage/mountPath': 'container_storage/mountpath',
});

export const origins: Origins = {
  ...below('', '', {
    // Every stack has the same network; the layers divide it.
    networkCidr: 'configurations',
    tags: 'tags',
    layers: 'configurations',
    databases: 'configurations',
    caches: 'configurations',
  }),
  ...below('layers/*', 'configurations/*', {
    '': '',
    flag: 'flag',
    role: 'role',
    ...network,
    ...capacity,
    ...balancer,
    ...container,
    rollout: ['rollout_timeout', 'on_failure'],
    'rollout/timeoutSeconds': 'rollout_timeout',
    'rollout/onFailure': 'on_failure',
  }),
  // The index is the one of the layer that has the database or the cache.
  ...below('databases/*', 'configurations/*/provision/rds', {
    '': '',
    name: '',
    engine: 'engine',
    engineVersion: 'version',
    instanceType: 'db_instance_type',
    storageGib: 'storage',
    replicas: 'replica',
    multiZone: 'multi_az',
    deletionProtection: 'deletion_protection',
  }),
  ...below('caches/*', 'configurations/*/provision/elasticache', {
    '': '',
    name: '',
    engine: 'engine',
    nodeType: 'node_type',
    nodes: 'nodes',
  }),
};
