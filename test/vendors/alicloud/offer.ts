import type { StackModel } from '../../../src/model/stack-model.ts';
import { defaultTypes } from '../../../src/vendors/alicloud/catalog.ts';
import type { Image, InstanceType } from '../../../src/vendors/alicloud/choose/cloud-facts.ts';
import type { Offer } from '../../../src/vendors/alicloud/choose/offer.ts';
import { isInstanceType, siblingsOf } from '../../../src/vendors/alicloud/layout/instance-types.ts';

const memoryPerCpu: Readonly<Record<string, number>> = { c: 2, e: 2, u: 2, g: 4, r: 8 };
const cpusOf: Readonly<Record<string, number>> = { large: 2, xlarge: 4, '2xlarge': 8 };

/** A type with the size that its name says. */
export const instanceType = (name: string, zones: readonly string[]): InstanceType => {
  const [, family = '', size = ''] = name.split('.');
  const cpus = cpusOf[size] ?? 2;
  return {
    name,
    cpus,
    memoryGib: cpus * (memoryPerCpu[family.charAt(0)] ?? 4),
    architecture: /\dy$/.test(family) ? 'arm64' : 'x86_64',
    zones,
  };
};

export const image = (id: string, architecture: Image['architecture'] = 'x86_64'): Image => ({
  id,
  architecture,
});

export const offerTime = Date.parse('2026-06-01T00:00:00Z');

/** What a cloud offers that has the zones, types, images and certificates a model names; always the same. */
export function offerFor(model: StackModel, changes: Partial<Offer> = {}): Offer {
  const { layers, region } = model;
  const listeners = layers.flatMap(({ loadBalancer }) => loadBalancer?.listeners ?? []);
  const domains = new Set(listeners.flatMap(({ certificateDomain }) => certificateDomain ?? []));
  const named = layers.flatMap(({ zone, capacity }) => [
    ...(zone === null ? [] : [zone]),
    ...(capacity.kind === 'group' ? capacity.zones : []),
  ]);
  const zones = [...new Set([...named, `${region}a`, `${region}b`])].toSorted();
  const types = [...layers.flatMap(({ instanceType: type }) => type ?? []), ...defaultTypes];
  const own = types.filter(isInstanceType);
  const known = new Set([...own, ...own.flatMap(siblingsOf)]);
  return {
    zones,
    instanceTypes: [...known].map((type) => instanceType(type, zones)),
    systemImages: {
      x86_64: image('aliyun_3_x64_20G_alibase_20260310.vhd'),
      arm64: image('aliyun_3_arm64_20G_alibase_20260910.vhd', 'arm64'),
    },
    images: layers.flatMap(({ machineImage }) => (machineImage ? [image(machineImage)] : [])),
    certificates: [...domains].map((domain) => ({
      id: `certificate-of-${domain}`,
      domains: [domain],
      expiresAt: offerTime + 1,
    })),
    now: offerTime,
    ...changes,
  };
}
