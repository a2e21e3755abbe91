import { bareType, typeSize } from '../../shared/type-sizes.ts';
import { catalog } from '../catalog.ts';

const pattern = /^ecs\.[a-z0-9-]+\.[a-z0-9-]+$/;
export const isInstanceType = (type: string): boolean => pattern.test(type);

const sizes: readonly [cpus: number, name: string][] = [
  [2, 'large'],
  [4, 'xlarge'],
  [8, '2xlarge'],
  [16, '4xlarge'],
  [32, '8xlarge'],
  [64, '16xlarge'],
];

const sizeName = (cpus: number): string => sizes.find(([most]) => cpus <= most)?.[1] ?? '16xlarge';

/** Types of AWS with ARM processors: a `g` after the generation. */
const isArm = (type: string): boolean => /^[a-z]+\d+g/.test(type);

/** The family by the memory for each CPU, in GiB. */
const familyOf = (ratio: number): string => {
  if (ratio <= 2) return 'c7';
  return ratio <= 4 ? 'g7' : 'r7';
};

/** The type of a size that this cloud has, for a type of another cloud. */
export function matchingType(foreign: string): string {
  const type = bareType(foreign);
  const size = typeSize(type);
  if (!size) return catalog.defaultInstanceType;
  if (isArm(type)) return `ecs.g8y.${sizeName(size.cpus)}`;
  if (size.cpus <= 2 && size.memoryGib <= 4) return catalog.defaultInstanceType;
  return `ecs.${familyOf(size.memoryGib / size.cpus)}.${sizeName(size.cpus)}`;
}

/** Undefined: the name has the form of a type of this cloud. */
export const foreignTypeMessage = (type: string): string | undefined =>
  isInstanceType(type)
    ? undefined
    : `${type} is not an instance type of Alibaba Cloud. Use ${matchingType(type)}, which has about the same size.`;

const equivalents: readonly (readonly string[])[] = [
  ['g6', 'g7', 'g8i'],
  ['c6', 'c7', 'c8i'],
  ['r6', 'r7', 'r8i'],
];

/** Types that usually have the same size. The cloud says whether they have. */
export function siblingsOf(type: string): string[] {
  const [, family = '', size = ''] = type.split('.');
  const families = equivalents.find((group) => group.includes(family)) ?? [];
  return families.filter((other) => other !== family).map((other) => `ecs.${other}.${size}`);
}
