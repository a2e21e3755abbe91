import { describe, expect, it } from 'vitest';
import type { Flavor } from '../../../src/vendors/openstack/choose/cloud-facts.ts';
import { chooseFlavor, type FlavorWish } from '../../../src/vendors/openstack/choose/flavors.ts';
import { typeSize } from '../../../src/vendors/shared/type-sizes.ts';
import { flavor, fullOffer } from './offer.ts';

const { flavors } = fullOffer();

const choose = (
  type: string,
  {
    offered = flavors,
    named = {},
    ...wish
  }: Partial<FlavorWish> & { offered?: readonly Flavor[]; named?: Record<string, string> } = {},
) => {
  const outcome = chooseFlavor(
    { type, path: 'layers/0/instanceType', minMemoryMib: 0, minDiskGib: 0, before: undefined, ...wish },
    { flavors: offered, named },
  );
  return outcome.ok ? outcome.value.name : outcome.problems.map(({ message }) => message).join(' ');
};

describe('the flavor of a type', () => {
  it('is the one that the document names for it, also for classes of databases and caches', () => {
    const named = { 't2.micro': 'm1.large' };
    expect(choose('t2.micro', { named })).toBe('m1.large');
    expect(choose('cache.t2.micro', { named })).toBe('m1.large');
  });

  it('is the flavor of the same name', () => {
    expect(choose('m1.medium')).toBe('m1.medium');
    expect(choose('db.m1.medium')).toBe('m1.medium');
  });

  it('is otherwise the smallest that has at least the CPUs and the memory of the type', () => {
    expect(choose('t2.micro')).toBe('m1.small');
    expect(choose('t3.micro')).toBe('m1.medium');
    expect(choose('c5.xlarge')).toBe('m1.large');
  });

  it('has room for the image', () => {
    expect(choose('t2.micro', { minDiskGib: 30 })).toBe('m1.medium');
    expect(choose('t2.micro', { minMemoryMib: 6000 })).toBe('m1.large');
  });

  it('needs no disk of its own when it has none: the server then boots from a volume', () => {
    expect(choose('t2.micro', { minDiskGib: 30, offered: [flavor('diskless', [1, 1, 0])] })).toBe('diskless');
  });

  it('is none with special hardware, and none that is not public, unless the document names it', () => {
    const gpu = { ...flavor('gpu', [1, 1, 9]), extraSpecs: ['pci_passthrough:alias'] };
    const own = { ...flavor('own', [1, 1, 9]), isPublic: false };
    const offered = [gpu, own, ...flavors];
    expect(choose('t2.micro', { offered })).toBe('m1.small');
    expect(choose('own', { offered })).toBe('own');
    expect(choose('t2.micro', { offered, named: { 't2.micro': 'gpu' } })).toBe('gpu');
  });

  it('stays when a smaller one appears, until the document asks for another type', () => {
    const offered = [flavor('new', [1, 1, 20]), ...flavors];
    const before = { type: 't2.micro', name: 'm1.small', cpus: 1, memoryMib: 2048 };
    expect(choose('t2.micro', { offered, before })).toBe('m1.small');
    expect(choose('t2.micro', { offered })).toBe('new');
    expect(choose('t2.small', { offered, before })).toBe('m1.small');
    expect(choose('t2.medium', { offered, before })).toBe('m1.medium');
  });

  it('is rejected with the largest flavor when none is large enough', () => {
    expect(choose('m5.24xlarge')).toBe(
      'No flavor has 96 CPU, 384 GiB, as m5.24xlarge has. The largest is m1.large (4 CPU, 8 GiB). Choose a smaller type.',
    );
  });

  it('is rejected with the list of flavors when nobody knows the type, or the flavor that is named for it', () => {
    const list = 'Use one of m1.large, m1.medium, m1.small, m1.tiny.';
    expect(choose('huge')).toBe(`Type huge is unknown here. ${list}`);
    expect(choose('t2.micro', { named: { 't2.micro': 'x' } })).toBe(
      `There is no flavor x, which the document names for t2.micro. ${list}`,
    );
  });
});

it.each([
  ['t2.micro', 1, 1],
  ['t3.medium', 2, 4],
  ['m3.large', 2, 7.5],
  ['m5.large', 2, 8],
  ['c5.4xlarge', 16, 32],
  ['r6g.2xlarge', 8, 64],
  ['db.m5.xlarge', 4, 16],
  ['cache.t4g.micro', 2, 1],
])('type %s has %i CPUs and %d GiB', (type, cpus, memoryGib) => {
  expect(typeSize(type)).toEqual({ cpus, memoryGib });
});

it.each(['', 'x', 'm5', 'm5.huge', 'p3.2xlarge'])('type "%s" has no known size', (type) => {
  expect(typeSize(type)).toBeUndefined();
});
