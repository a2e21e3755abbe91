import { describe, expect, it } from 'vitest';
import type { Layer } from '../../../../src/model/stack-model.ts';
import { siblingsOf } from '../../../../src/vendors/aws/choose/sibling-types.ts';
import { openQuestions } from '../../../../src/vendors/aws/layout/open-questions.ts';
import { reserveSubnets } from '../../../../src/vendors/aws/layout/reserve-subnets.ts';
import { sampleGroup, sampleLayer, sampleModel } from '../../sample-model.ts';
import { layersIn, privateSubnet } from './world.ts';

const caches = [{ name: 'c', engine: 'redis', nodeType: 'cache.t3.micro', nodes: 1 }] as const;
const decided = (cidrs: Record<string, string> = {}) => ({
  zones: ['ap-northeast-1a', 'ap-northeast-1c'],
  places: {},
  spread: {},
  cidrs,
});
const reserved = (model: Parameters<typeof reserveSubnets>[0], before: Record<string, string> = {}) => {
  const outcome = reserveSubnets(model, decided(before));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.value;
};

describe('subnets outside layers', () => {
  it('are omitted if not needed', () => {
    expect(reserved(sampleModel())).toEqual({});
  });

  it('get CIDR blocks from the top of the network downwards', () => {
    const layers = [sampleGroup(1, 0), sampleLayer({ flag: 'Inner', subnet: privateSubnet('10.0.1.0/24') })];
    expect(reserved(sampleModel({ layers, caches }))).toEqual({
      BalancerSubnet: '10.0.255.0/24',
      DataSubnet1: '10.0.254.0/24',
      DataSubnet2: '10.0.253.0/24',
      NatSubnet: '10.0.252.0/24',
    });
  });

  it('avoid the subnets of layers, and are smaller in a smaller network', () => {
    const subnet = { cidr: '10.0.254.0/23', public: true, assignPublicIp: true };
    expect(reserved(sampleModel({ layers: [sampleLayer({ subnet })], caches }))).toEqual({
      DataSubnet1: '10.0.253.0/24',
      DataSubnet2: '10.0.252.0/24',
    });
    const small = { cidr: '10.0.0.0/28', public: true, assignPublicIp: true };
    const model = sampleModel({
      networkCidr: '10.0.0.0/20',
      layers: [sampleLayer({ subnet: small })],
      caches,
    });
    expect(reserved(model)).toEqual({ DataSubnet1: '10.0.15.240/28', DataSubnet2: '10.0.15.224/28' });
  });

  it('keep their blocks, and do not take a block that another subnet has just released', () => {
    const before = { DataSubnet1: '10.0.200.0/24', DataSubnet2: '10.0.255.0/24' };
    expect(reserved(sampleModel({ caches }), before)).toEqual(before);
    const inner = layersIn({ subnet: privateSubnet('10.0.1.0/24') });
    expect(reserved(inner, before)).toEqual({ NatSubnet: '10.0.254.0/24' });
  });

  it('are reserved for load balancers if all layers are in one zone', () => {
    const { loadBalancer } = sampleGroup(1, 0);
    const model = layersIn({ loadBalancer, zone: 'ap-northeast-1a' }, {});
    expect(reserved(model)).toHaveProperty('BalancerSubnet');
    expect(
      reserved(layersIn({ loadBalancer, zone: 'ap-northeast-1a' }, { zone: 'ap-northeast-1c' })),
    ).toEqual({});
  });

  it('are reported as a problem for a later layer that overlaps one of them', () => {
    const subnet = { cidr: '10.0.200.0/22', public: true, assignPublicIp: true };
    const model = sampleModel({ layers: [sampleLayer(), sampleLayer({ flag: 'Late', subnet })], caches });
    const before = { DataSubnet1: '10.0.200.0/24', DataSubnet2: '10.0.100.0/24' };
    expect(reserveSubnets(model, decided(before))).toMatchObject({
      ok: false,
      problems: [
        {
          path: 'layers/1/subnet/cidr',
          message:
            '10.0.200.0/22 overlaps 10.0.200.0/24, which the stack uses for databases and caches. Choose another block.',
        },
      ],
    });
  });

  it('do not take the block of a subnet that is deleted in the same update', () => {
    const outcome = reserveSubnets(sampleModel({ caches }), decided(), ['10.0.255.0/24']);
    expect(outcome).toMatchObject({ value: { DataSubnet1: '10.0.254.0/24', DataSubnet2: '10.0.253.0/24' } });
  });

  it('are reported as a problem if the layers leave no room', () => {
    const subnet = { cidr: '10.0.0.0/16', public: true, assignPublicIp: true };
    const model = sampleModel({ layers: [sampleLayer({ subnet })], caches });
    expect(reserveSubnets(model, decided())).toMatchObject({
      ok: false,
      problems: [{ path: 'networkCidr' }],
    });
  });
});

describe('the open questions of a model', () => {
  it('contain each type once, for layers that have servers', () => {
    const spot: Layer = { ...sampleGroup(1, 50), instanceType: 'm5.large' };
    const given = sampleLayer({ flag: 'Given', machineImage: 'ami-0123456789abcdef0' });
    const idle = sampleLayer({
      flag: 'Idle',
      instanceType: 'c5.large',
      capacity: { kind: 'fixed', count: 0 },
    });
    expect(openQuestions(sampleModel({ layers: [spot, given, idle] }))).toEqual({
      types: ['m5.large', 't3.micro'],
      imagesOf: [{ flag: 'Web0', type: 'm5.large' }],
      spotTypes: ['m5.large'],
      domains: [],
    });
  });

  it('contain the domains of encrypted listeners', () => {
    const layer = sampleGroup(1, 0);
    const [http] = layer.loadBalancer?.listeners ?? [];
    if (!layer.loadBalancer || !http) throw new Error('The sample group has no listener.');
    const listeners = [
      { ...http, certificateDomain: 'plain.example.com' },
      { ...http, port: 443, protocol: 'https', certificateDomain: 'example.com' } as const,
    ];
    const model = sampleModel({ layers: [{ ...layer, loadBalancer: { ...layer.loadBalancer, listeners } }] });
    expect(openQuestions(model).domains).toEqual(['example.com']);
  });
});

describe('equivalent instance types', () => {
  it.each([
    ['m5.large', ['m5a.large', 'm6i.large', 'm6a.large', 'm7i.large']],
    ['t2.micro', ['t3.micro', 't3a.micro']],
    ['t3.micro', ['t3a.micro']],
    ['m3.medium', ['t3.medium', 't3a.medium']],
    ['c7g.large', ['c6g.large', 'c8g.large']],
    ['t4g.micro', []],
    ['nonsense', []],
  ])('for %s are %j', (type, siblings) => {
    expect(siblingsOf(type)).toEqual(siblings);
  });
});
