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

const withGroup = (changes: object): StackModel => {
  const layer = sampleGroup(1, 0);
  return sampleModel({
    layers: [{ ...layer, capacity: { ...layer.capacity, ...changes } }],
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

describe('a model AWS cannot make is refused', () => {
  it.each<[string, string, StackModel]>([
    ['a region that is none', 'region', sampleModel({ region: 'Tokyo' })],
    ['a region nobody knows', 'region', sampleModel({ region: 'eu-east-9' })],
    ['a network that is none', 'networkCidr', sampleModel({ networkCidr: '10.0.0/16' })],
    ['a network too large', 'networkCidr', sampleModel({ networkCidr: '10.0.0.0/8' })],
    ['a subnet that is none', 'layers/0/subnet/cidr', withLayer({ subnet: public24('10.0.0.300/24') })],
    ['a subnet too small', 'layers/0/subnet/cidr', withLayer({ subnet: public24('10.0.0.0/29') })],
    ['a subnet outside the network', 'layers/0/subnet/cidr', withLayer({ subnet: public24('10.1.0.0/24') })],
    ['subnets that overlap', 'layers/1/subnet/cidr', layersIn({}, { subnet: public24('10.0.0.128/25') })],
    ['a zone of another region', 'layers/0/zone', withLayer({ zone: 'us-east-1a' })],
    [
      'a group in another region',
      'layers/0/capacity/zones/1',
      withGroup({ zones: ['ap-northeast-1a', 'us-east-1a'] }),
    ],
    [
      'a group without a subnet in a zone',
      'layers/0/capacity/zones/1',
      withGroup({ zones: ['ap-northeast-1a', 'ap-northeast-1c'] }),
    ],
    ['an instance type that is none', 'layers/0/instanceType', withLayer({ instanceType: 'micro' })],
    ['an image that is none', 'layers/0/machineImage', withLayer({ machineImage: 'ubuntu' })],
    [
      'a disk no server boots from',
      'layers/0/volume/type',
      withLayer({ volume: { type: 'st1', sizeGib: 500 } }),
    ],
    ['a disk too small', 'layers/0/volume/sizeGib', withLayer({ volume: { type: null, sizeGib: 7 } })],
    [
      'a disk too large',
      'layers/0/volume/sizeGib',
      withLayer({ volume: { type: 'standard', sizeGib: 1025 } }),
    ],
    ['a name AWS cannot write', 'layers/0/flag', withLayer({ flag: 'Web層' })],
    ['names that read the same', 'layers/1', layersIn({ flag: 'Web-0' }, { flag: 'Web0' })],
    [
      'a malformed rule',
      'layers/0/securityGroup/ingress/0/cidr',
      withLayer({ securityGroup: { ingress: [{ ...rule, cidr: 'anywhere' }], egress: [] } }),
    ],
    [
      'ports the wrong way round',
      'layers/0/securityGroup/egress/0/toPort',
      withLayer({ securityGroup: { ingress: [], egress: [{ ...rule, fromPort: 81 }] } }),
    ],
    [
      'a border rule about no protocol',
      'layers/0/networkAcl/0/protocol',
      withLayer({ networkAcl: [{ ...aclRule, protocol: '256' }] }),
    ],
    [
      'border rules of one number',
      'layers/0/networkAcl/1/number',
      withLayer({ networkAcl: [aclRule, { ...aclRule }] }),
    ],
    [
      'more servers than addresses',
      'layers/0/capacity',
      withLayer({ capacity: { kind: 'fixed', count: 12 }, subnet: public24('10.0.0.0/28') }),
    ],
    ['fewer than none', 'layers/0/capacity', withGroup({ min: 11 })],
    ['a layer nobody knows', 'layers/0/capacity/subnetsOf', withGroup({ subnetsOf: ['Nobody'] })],
    [
      'sharing a group that is none',
      'layers/0/capacity/groupOf',
      withLayer({ capacity: { kind: 'shared', groupOf: 'Nobody' } }),
    ],
    ['a balancer without listeners', 'layers/0/loadBalancer/listeners', withBalancer({ listeners: [] })],
    [
      'port 0',
      'layers/0/loadBalancer/listeners/0/port',
      withBalancer({ listeners: [{ ...listener, port: 0 }] }),
    ],
    [
      'no certificate',
      'layers/0/loadBalancer/listeners/0/certificateDomain',
      withBalancer({ listeners: [{ ...listener, certificateDomain: null }] }),
    ],
    [
      'two languages to one port',
      'layers/0/loadBalancer/listeners/1/instanceProtocol',
      withBalancer({ listeners: [listener, { ...listener, port: 444, instanceProtocol: 'https' }] }),
    ],
    [
      'a check too often',
      'layers/0/loadBalancer/healthCheck/intervalSeconds',
      withBalancer({ healthCheck: { ...healthCheck, intervalSeconds: 4, timeoutSeconds: 2 } }),
    ],
    [
      'a check that takes too long',
      'layers/0/loadBalancer/healthCheck/timeoutSeconds',
      withBalancer({ healthCheck: { ...healthCheck, timeoutSeconds: 10 } }),
    ],
    [
      'a check of nothing',
      'layers/0/loadBalancer/healthCheck/target',
      withBalancer({ healthCheck: { ...healthCheck, target: 'PING:80' } }),
    ],
    ['a version there is not', 'databases/0/engineVersion', withDatabase({ engineVersion: '9.1' })],
    [
      'a version that is more than one',
      'databases/0/engineVersion',
      withDatabase({ engineVersion: '8.0.{{resolve:ssm:x}}' }),
    ],
    ['a class that is none', 'databases/0/instanceType', withDatabase({ instanceType: 't3.micro' })],
    ['storage too large', 'databases/0/storageGib', withDatabase({ storageGib: 70000 })],
    ['seven Redis nodes', 'caches/0/nodes', withCache({ nodes: 7 })],
    ['a node type that is none', 'caches/0/nodeType', withCache({ nodeType: 't3.micro' })],
  ])('%s', (_, path, model) => {
    expect(problemsOf(model)).toMatchObject([{ path }]);
  });

  it('says everything at once', () => {
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

  it('needs a second zone for databases and caches', () => {
    expect(problemsOf(withCache({}), { choices: { zones: ['ap-northeast-1a'] } })).toMatchObject([
      { path: 'region' },
    ]);
  });

  it('needs a certificate the account has, and an image for every layer', () => {
    const model = withBalancer({ listeners: [listener] });
    expect(problemsOf(model, { choices: { certificates: {}, images: {} } })).toMatchObject([
      { path: 'layers/0/machineImage' },
      { path: 'layers/0/loadBalancer/listeners/0/certificateDomain' },
    ]);
  });
});

describe('agents that could never reach Almanac', () => {
  const container = sampleContainer();

  it.each([
    'http://127.0.0.1:8080',
    'http://localhost:8080',
    'http://[::1]:8080',
    'http://0.0.0.0',
    'nonsense',
  ])('because it is at %s are refused, naming the setting', (baseUrl) => {
    const message = expect.stringContaining('ALM_BASE_URL');
    expect(problemsOf(withLayer({ container }), { baseUrl })).toMatchObject([
      { path: 'layers/0/container', message },
    ]);
    expect(problemsOf(withLayer({}), { baseUrl })).toEqual([]);
  });

  it('in a way nobody can change are refused, naming the setting', () => {
    const baseUrl = 'http://almanac.example.com';
    expect(problemsOf(withLayer({ container }), { baseUrl })).toMatchObject([
      { path: 'layers/0/container', message: expect.stringMatching(/ALM_BASE_URL.*https/) },
    ]);
    expect(problemsOf(withLayer({}), { baseUrl })).toEqual([]);
  });

  it('because nothing leads out are refused', () => {
    const shut = { cidr: '10.0.0.0/24', public: true, assignPublicIp: false };
    expect(problemsOf(withLayer({ container, subnet: shut }))).toMatchObject([
      { path: 'layers/0/subnet/assignPublicIp' },
    ]);
    expect(problemsOf(withLayer({ container, securityGroup: { ingress: [], egress: [] } }))).toMatchObject([
      { path: 'layers/0/securityGroup/egress' },
    ]);
    expect(problemsOf(withLayer({ container, subnet: privateSubnet('10.0.0.0/24') }))).toEqual([]);
  });
});
