import { describe, expect, it } from 'vitest';
import type { Cache, Database, Layer, StackModel } from '../../../../src/model/stack-model.ts';
import { sampleGroup, sampleLayer, sampleModel } from '../../sample-model.ts';
import { layersIn, privateSubnet, problemsOf, sampleContainer } from '../compile/world.ts';

const withLayer = (changes: Partial<Layer>): StackModel => sampleModel({ layers: [sampleLayer(changes)] });

const withBalancer = (changes: Partial<NonNullable<Layer['loadBalancer']>>): StackModel => {
  const layer = sampleGroup(1, 0);
  return sampleModel({
    layers: [{ ...layer, loadBalancer: layer.loadBalancer && { ...layer.loadBalancer, ...changes } }],
  });
};

const withGroup = (changes: object, more: Partial<Layer> = {}): StackModel => {
  const layer = sampleGroup(1, 0);
  return sampleModel({
    layers: [{ ...layer, capacity: { ...layer.capacity, ...changes }, ...more }],
  });
};

const withDatabase = (changes: Partial<Database>): StackModel =>
  sampleModel({
    databases: [
      {
        name: 'main',
        engine: 'mysql',
        engineVersion: null,
        instanceType: null,
        storageGib: 20,
        replicas: 0,
        multiZone: false,
        ...changes,
      },
    ],
  });

const withCache = (changes: Partial<Cache>): StackModel =>
  sampleModel({ caches: [{ name: 'c', engine: 'redis', nodeType: 'cache.t3.micro', nodes: 1, ...changes }] });

const listener = {
  port: 443,
  protocol: 'https',
  instancePort: 80,
  instanceProtocol: 'http',
  certificateDomain: 'example.com',
} as const;
const healthCheck = {
  target: 'TCP:80',
  intervalSeconds: 10,
  timeoutSeconds: 5,
  healthyThreshold: 2,
  unhealthyThreshold: 10,
};
const rule = { protocol: 'tcp', fromPort: 80, toPort: 80, cidr: '0.0.0.0/0' } as const;
const aclRule = { number: 1, protocol: '-1', action: 'allow', egress: false, cidr: '0.0.0.0/0' } as const;
const public24 = (cidr: string) => ({ cidr, public: true, assignPublicIp: true });

describe('the AWS vendor rejects a model with', () => {
  it.each<[string, string, StackModel]>([
    ['an invalid region', 'region', sampleModel({ region: 'Tokyo' })],
    ['an invalid region', 'region', sampleModel({ region: 'eu-east-9.example.com' })],
    ['an invalid network', 'networkCidr', sampleModel({ networkCidr: '10.0.0/16' })],
    ['a network that is too large', 'networkCidr', sampleModel({ networkCidr: '10.0.0.0/8' })],
    ['an invalid subnet', 'layers/0/subnet/cidr', withLayer({ subnet: public24('10.0.0.300/24') })],
    ['a subnet that is too small', 'layers/0/subnet/cidr', withLayer({ subnet: public24('10.0.0.0/29') })],
    ['a subnet outside the network', 'layers/0/subnet/cidr', withLayer({ subnet: public24('10.1.0.0/24') })],
    ['overlapping subnets', 'layers/1/subnet/cidr', layersIn({}, { subnet: public24('10.0.0.128/25') })],
    ['a zone of another region', 'layers/0/zone', withLayer({ zone: 'us-east-1a' })],
    [
      'a group in a zone of another region',
      'layers/0/capacity/zones/1',
      withGroup({ zones: ['ap-northeast-1a', 'us-east-1a'] }),
    ],
    [
      'a group whose network is too small for its zones',
      'layers/0/capacity/zones/1',
      withGroup(
        { zones: ['ap-northeast-1a', 'ap-northeast-1c'] },
        { subnet: { cidr: '10.0.0.0/27', public: true, assignPublicIp: true } },
      ),
    ],
    ['an invalid instance type', 'layers/0/instanceType', withLayer({ instanceType: 'micro' })],
    ['an invalid machine image', 'layers/0/machineImage', withLayer({ machineImage: 'ubuntu' })],
    [
      'a volume type that cannot be a boot volume',
      'layers/0/volume/type',
      withLayer({ volume: { type: 'st1', sizeGib: 500 } }),
    ],
    [
      'a volume that is too small',
      'layers/0/volume/sizeGib',
      withLayer({ volume: { type: null, sizeGib: 7 } }),
    ],
    [
      'a volume that is too large',
      'layers/0/volume/sizeGib',
      withLayer({ volume: { type: 'standard', sizeGib: 1025 } }),
    ],
    ['a name with non-ASCII characters', 'layers/0/flag', withLayer({ flag: 'Web層' })],
    [
      'two names with the same resource names',
      'layers/1/flag',
      layersIn({ flag: 'Web-0' }, { flag: 'Web0' }),
    ],
    [
      'an invalid cidr in a security group rule',
      'layers/0/securityGroup/ingress/0/cidr',
      withLayer({ securityGroup: { ingress: [{ ...rule, cidr: 'anywhere' }], egress: [] } }),
    ],
    [
      'a port range that ends before it starts',
      'layers/0/securityGroup/egress/0/toPort',
      withLayer({ securityGroup: { ingress: [], egress: [{ ...rule, fromPort: 81 }] } }),
    ],
    [
      'an unknown protocol in a network ACL',
      'layers/0/networkAcl/0/protocol',
      withLayer({ networkAcl: [{ ...aclRule, protocol: '256' }] }),
    ],
    [
      'two network ACL rules with the same number',
      'layers/0/networkAcl/1/number',
      withLayer({ networkAcl: [aclRule, { ...aclRule }] }),
    ],
    [
      'more servers than the subnet has addresses',
      'layers/0/capacity/count',
      withLayer({ capacity: { kind: 'fixed', count: 12 }, subnet: public24('10.0.0.0/28') }),
    ],
    ['a minimum size above the maximum', 'layers/0/capacity/min', withGroup({ min: 11 })],
    ['a reference to an unknown layer', 'layers/0/capacity/subnetsOf', withGroup({ subnetsOf: ['Nobody'] })],
    [
      'a shared group that does not exist',
      'layers/0/capacity/groupOf',
      withLayer({ capacity: { kind: 'shared', groupOf: 'Nobody' } }),
    ],
    ['a load balancer without listeners', 'layers/0/loadBalancer/listeners', withBalancer({ listeners: [] })],
    [
      'a listener on port 0',
      'layers/0/loadBalancer/listeners/0/port',
      withBalancer({ listeners: [{ ...listener, port: 0 }] }),
    ],
    [
      'an https listener without a certificate domain',
      'layers/0/loadBalancer/listeners/0/certificateDomain',
      withBalancer({ listeners: [{ ...listener, certificateDomain: null }] }),
    ],
    [
      'two protocols for one server port',
      'layers/0/loadBalancer/listeners/1/instanceProtocol',
      withBalancer({ listeners: [listener, { ...listener, port: 444, instanceProtocol: 'https' }] }),
    ],
    [
      'a health check interval that is too short',
      'layers/0/loadBalancer/healthCheck/intervalSeconds',
      withBalancer({ healthCheck: { ...healthCheck, intervalSeconds: 4, timeoutSeconds: 2 } }),
    ],
    [
      'a health check timeout as long as the interval',
      'layers/0/loadBalancer/healthCheck/timeoutSeconds',
      withBalancer({ healthCheck: { ...healthCheck, timeoutSeconds: 10 } }),
    ],
    [
      'an invalid health check target',
      'layers/0/loadBalancer/healthCheck/target',
      withBalancer({ healthCheck: { ...healthCheck, target: 'PING:80' } }),
    ],
    ['an invalid database version', 'databases/0/engineVersion', withDatabase({ engineVersion: 'new' })],
    [
      'a database version that contains a dynamic reference',
      'databases/0/engineVersion',
      withDatabase({ engineVersion: '8.0.{{resolve:ssm:x}}' }),
    ],
    ['an invalid database class', 'databases/0/instanceType', withDatabase({ instanceType: 't3.micro' })],
    ['too much database storage', 'databases/0/storageGib', withDatabase({ storageGib: 70000 })],
    ['more than six Redis nodes', 'caches/0/nodes', withCache({ nodes: 7 })],
    ['an invalid node type', 'caches/0/nodeType', withCache({ nodeType: 't3.micro' })],
  ])('%s', (_, path, model) => {
    expect(problemsOf(model)).toMatchObject([{ path }]);
  });

  it('several problems, and reports all of them', () => {
    const model = sampleModel({
      region: '!',
      networkCidr: 'x',
      layers: [sampleLayer({ subnet: public24('y') })],
    });
    expect(problemsOf(model, { choices: { zones: ['!a'] } }).map(({ path }) => path)).toEqual([
      'region',
      'networkCidr',
      'layers/0/subnet/cidr',
    ]);
  });

  it('a cache where the region has only one zone', () => {
    expect(problemsOf(withCache({}), { choices: { zones: ['ap-northeast-1a'] } })).toMatchObject([
      { path: 'region' },
    ]);
  });

  it('a certificate domain or a layer for which no certificate or image was found', () => {
    const model = withBalancer({ listeners: [listener] });
    expect(problemsOf(model, { choices: { certificates: {}, images: {} } })).toMatchObject([
      { path: 'layers/0/machineImage' },
      { path: 'layers/0/loadBalancer/listeners/0/certificateDomain' },
    ]);
  });
});

describe('a layer with a container', () => {
  const container = sampleContainer();

  it.each([
    'http://127.0.0.1:8080',
    'http://localhost:8080',
    'http://[::1]:8080',
    'http://0.0.0.0',
    'nonsense',
  ])('is rejected if servers cannot reach Almanac at %s, naming ALM_BASE_URL', (baseUrl) => {
    const message = expect.stringContaining('ALM_BASE_URL');
    expect(problemsOf(withLayer({ container }), { baseUrl })).toMatchObject([
      { path: 'layers/0/container', message },
    ]);
    expect(problemsOf(withLayer({}), { baseUrl })).toEqual([]);
  });

  it('is rejected if the agent download is not encrypted, naming ALM_BASE_URL', () => {
    const baseUrl = 'http://almanac.example.com';
    expect(problemsOf(withLayer({ container }), { baseUrl })).toMatchObject([
      { path: 'layers/0/container', message: expect.stringMatching(/ALM_BASE_URL.*https/) },
    ]);
    expect(problemsOf(withLayer({}), { baseUrl })).toEqual([]);
  });

  it('is rejected if its servers have no route to the internet', () => {
    const isolated = { cidr: '10.0.0.0/24', public: true, assignPublicIp: false };
    expect(problemsOf(withLayer({ container, subnet: isolated }))).toMatchObject([
      { path: 'layers/0/subnet/assignPublicIp' },
    ]);
    expect(problemsOf(withLayer({ container, securityGroup: { ingress: [], egress: [] } }))).toMatchObject([
      { path: 'layers/0/securityGroup/egress' },
    ]);
    expect(problemsOf(withLayer({ container, subnet: privateSubnet('10.0.0.0/24') }))).toEqual([]);
  });
});
