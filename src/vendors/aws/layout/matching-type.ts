import { typeSize } from '../../shared/type-sizes.ts';
import { catalog } from '../catalog.ts';

const small: readonly [memoryGib: number, size: string][] = [
  [1, 'micro'],
  [2, 'small'],
  [4, 'medium'],
  [8, 'large'],
];

const sizes: readonly [cpus: number, size: string][] = [
  [2, 'large'],
  [4, 'xlarge'],
  [8, '2xlarge'],
  [16, '4xlarge'],
  [32, '8xlarge'],
  [64, '16xlarge'],
];

/** The family by the memory for each CPU, in GiB. */
const familyOf = (ratio: number): string => {
  if (ratio <= 2) return 'c6i';
  return ratio <= 4 ? 'm6i' : 'r6i';
};

/** The type of AWS that has about the size of a type of another cloud; the default if that size is unknown. */
export function matchingType(foreign: string): string {
  const size = typeSize(foreign);
  if (!size) return catalog.defaultInstanceType;
  const { cpus, memoryGib } = size;
  const burstable = cpus <= 2 ? small.find(([most]) => memoryGib <= most) : undefined;
  if (burstable) return `t3.${burstable[1]}`;
  return `${familyOf(memoryGib / cpus)}.${sizes.find(([most]) => cpus <= most)?.[1] ?? '16xlarge'}`;
}
