import type { StackModel } from '../../../src/model/stack-model.ts';
import { sampleGroup, sampleLayer, sampleModel } from '../../vendors/sample-model.ts';

export const domain = 'shop.example.com';

const container = {
  image: 'registry.example.com/shop:1',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: null,
  gitReference: 'main',
  gitPrivateKeySecret: null,
  ports: [80],
  environment: {},
  users: [],
  addons: [],
  storage: null,
} as const;

const balanced = (members: number, isSecure = true) => {
  const group = sampleGroup(members, 50);
  const listener = { instancePort: 80, instanceProtocol: 'http' } as const;
  return sampleLayer({
    flag: 'Shop',
    capacity: group.capacity,
    container,
    loadBalancer: group.loadBalancer && {
      ...group.loadBalancer,
      kind: 'application',
      listeners: [
        { ...listener, port: 80, protocol: 'http', certificateDomain: null },
        ...(isSecure
          ? [{ ...listener, port: 443, protocol: 'https' as const, certificateDomain: domain }]
          : []),
      ],
    },
  });
};

const lone = sampleLayer({
  flag: 'Lone',
  subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true },
});

/**
 * A stack with nearly every feature: a load-balanced group with containers, a single server, databases and caches. Half of
 * the members are spot instances; with an odd number, moto loses one.
 */
export const fullModel = (members: number): StackModel =>
  sampleModel({
    layers: [balanced(members), lone],
    databases: [
      {
        name: 'main',
        engine: 'mysql',
        engineVersion: '8.0',
        instanceType: 'db.t3.micro',
        storageGib: 20,
        replicas: 1,
        multiZone: false,
      },
      {
        name: 'reports',
        engine: 'postgresql',
        engineVersion: null,
        instanceType: null,
        storageGib: 5,
        replicas: 0,
        multiZone: false,
      },
    ],
    caches: [
      { name: 'sessions', engine: 'redis', nodeType: 'cache.t3.micro', nodes: 2 },
      { name: 'pages', engine: 'memcached', nodeType: 'cache.t3.micro', nodes: 1 },
    ],
  });

/** A load-balanced group and a server: what a key with the minimal policy can manage. */
export const plainModel = (members: number): StackModel =>
  sampleModel({ layers: [balanced(members, false), lone] });

export const databaseModel: StackModel = { ...fullModel(2), layers: [lone], caches: [] };
export const cacheModel: StackModel = { ...fullModel(2), layers: [lone], databases: [] };

const manyRules = (layerNumber: number) =>
  Array.from({ length: 45 }, (_, rule) => ({
    protocol: 'tcp' as const,
    fromPort: 1000 + rule,
    toPort: 1000 + rule,
    cidr: `198.51.${layerNumber}.0/24`,
  }));

/** So many rules that the template does not fit in a request. */
export const longTemplate: StackModel = sampleModel({
  layers: Array.from({ length: 15 }, (_, number) =>
    sampleLayer({
      flag: `Layer${number}`,
      keyPair: false,
      capacity: { kind: 'fixed', count: number === 0 ? 1 : 0 },
      subnet: { cidr: `10.0.${number}.0/24`, public: true, assignPublicIp: true },
      securityGroup: { ingress: manyRules(number), egress: [] },
    }),
  ),
});
