import { entryOf } from '../../basics/entry-of.ts';
export interface TypeSize {
  cpus: number;
  memoryGib: number;
}

/** Sizes of the families whose memory does not follow from their CPUs. */
const irregular: Readonly<Record<string, readonly [cpus: number, memoryGib: number]>> = {
  't1.micro': [1, 0.6],
  't2.nano': [1, 0.5],
  't2.micro': [1, 1],
  't2.small': [1, 2],
  't2.medium': [2, 4],
  't2.large': [2, 8],
  't2.xlarge': [4, 16],
  't2.2xlarge': [8, 32],
  'm1.small': [1, 1.7],
  'm1.medium': [1, 3.75],
  'm1.large': [2, 7.5],
  'm1.xlarge': [4, 15],
  'm3.medium': [1, 3.75],
  'm3.large': [2, 7.5],
  'm3.xlarge': [4, 15],
  'm3.2xlarge': [8, 30],
};

/** Burstable types of later generations: t3, t3a, t4g. */
const burstable: Readonly<Record<string, readonly [cpus: number, memoryGib: number]>> = {
  nano: [2, 0.5],
  micro: [2, 1],
  small: [2, 2],
  medium: [2, 4],
  large: [2, 8],
  xlarge: [4, 16],
  '2xlarge': [8, 32],
};

/** Memory for each CPU of the other families: general purpose, computing, memory. */
const memoryPerCpu: Readonly<Record<string, number>> = { m: 4, c: 2, r: 8 };

const cpusOf = (size: string): number | undefined => {
  if (size === 'medium') return 1;
  if (size === 'large') return 2;
  const [, factor] = /^(\d*)xlarge$/.exec(size) ?? [];
  return factor === undefined ? undefined : 4 * Number(factor || 1);
};

/** Memory for each CPU of the families of Alibaba Cloud, by the first letter; `e` and `u` have it in their names. */
const alicloudMemory: Readonly<Record<string, number>> = { c: 2, g: 4, r: 8 };

/** The size of a type such as ecs.g7.large or ecs.e-c1m2.large. */
function alicloudSize(type: string): TypeSize | undefined {
  const [, family = '', size = ''] = /^ecs\.([a-z0-9-]+)\.([a-z0-9]+)$/.exec(type) ?? [];
  const [, cpu, memory] = /-c(\d+)m(\d+)$/.exec(family) ?? [];
  const ratio = cpu ? Number(memory) / Number(cpu) : alicloudMemory[family.charAt(0)];
  const cpus = cpusOf(size);
  return ratio === undefined || cpus === undefined ? undefined : { cpus, memoryGib: cpus * ratio };
}

/** The size of a type of AWS, also of a database class or a cache type, or of Alibaba Cloud; undefined: the type is unknown. */
export function typeSize(name: string): TypeSize | undefined {
  if (name.startsWith('ecs.')) return alicloudSize(name);
  const type = bareType(name);
  const [family = '', size = ''] = type.split('.');
  const [cpus, memoryGib] =
    entryOf(irregular, type) ?? (/^t[34]/.test(family) ? entryOf(burstable, size) : undefined) ?? [];
  if (cpus !== undefined && memoryGib !== undefined) return { cpus, memoryGib };
  const ratio = /^[mcr][3-9][a-z-]*$/.test(family) ? memoryPerCpu[family.charAt(0)] : undefined;
  const count = cpusOf(size);
  return ratio === undefined || count === undefined ? undefined : { cpus: count, memoryGib: count * ratio };
}

/** Without the prefix of database classes and cache types. */
export const bareType = (type: string): string => type.replace(/^(db|cache)\./, '');
