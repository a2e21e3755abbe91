import { type DockerDocument, type Fleet, type Scaling, slotsAt } from '../document.ts';

/** The mean CPU use of a group's instances at one time, in percent of one processor. */
export interface Load {
  at: number;
  percent: number;
}

/** The size of a group that load decided. */
export interface Size {
  size: number;
  from: number;
  at: number;
  percent: number;
}

/** By flag. A group without one has its minimum size. */
export type Sizes = Readonly<Record<string, Size>>;

/** A group grows after this long above its target, and shrinks after this long below. */
const growAfterMs = 60_000;
const shrinkAfterMs = 300_000;
/** The target has a margin on both sides, so that a group does not grow and shrink in turns. */
const growAbove = 1.1;
const shrinkBelow = 0.9;
/** How far looks at a group may be apart. */
const longestGapMs = 30_000;

export const historyMs = shrinkAfterMs + longestGapMs;

const mean = (loads: readonly Load[]): number =>
  loads.reduce((sum, { percent }) => sum + percent, 0) / loads.length;

/** The loads of the last `spanMs`; undefined: they do not cover it. */
function covering(loads: readonly Load[], now: number, spanMs: number): Load[] | undefined {
  const recent = loads.filter(({ at }) => at > now - spanMs - longestGapMs);
  const times = [...recent.map(({ at }) => at), now];
  const hasGap = times.some((at, index) => index > 0 && at - (times[index - 1] ?? at) > longestGapMs);
  const [first = now] = times;
  return hasGap || first > now - spanMs ? undefined : recent.filter(({ at }) => at > now - spanMs);
}

interface Situation {
  scaling: Scaling;
  min: number;
  /** The size now. */
  size: number;
  /** When load last changed it; undefined: never. */
  changedAt: number | undefined;
  /** In the order of time. */
  loads: readonly Load[];
  now: number;
}

/** Never more than double: the load of new instances is not known yet. */
function grown({ scaling, size }: Situation, percent: number): number {
  const wanted = Math.ceil((size * percent) / scaling.targetPercent);
  return Math.min(scaling.max, Math.max(size + 1, Math.min(wanted, size * 2)));
}

/** The highest mean of any minute, wherever it begins: one busy minute keeps the instances. */
const busiestMinute = (loads: readonly Load[]): number =>
  Math.max(
    ...loads.map(({ at: end }) => mean(loads.filter(({ at }) => at > end - growAfterMs && at <= end))),
  );

/**
 * The size that a group should have; null: it stays. It grows as far as the load requires, and shrinks by one at a time, if
 * the others would still be below the target. Measurements from before the last change count for nothing.
 */
export function nextSize(situation: Situation): Pick<Size, 'size' | 'percent'> | null {
  const { scaling, min, size, changedAt = 0, now } = situation;
  if (now - changedAt < scaling.cooldownSeconds * 1000) return null;
  const loads = situation.loads.filter(({ at }) => at > changedAt);
  const lastMinute = covering(loads, now, growAfterMs);
  if (!lastMinute || size === 0) return null;
  const percent = mean(lastMinute);
  if (percent > scaling.targetPercent * growAbove)
    return size < scaling.max ? { size: grown(situation, percent), percent } : null;
  const longTime = covering(loads, now, shrinkAfterMs);
  if (!longTime || size <= Math.max(min, 1)) return null;
  const afterwards = (busiestMinute(longTime) * size) / (size - 1);
  return afterwards < scaling.targetPercent * shrinkBelow ? { size: size - 1, percent } : null;
}

/** The size of a group, in the limits of the document. Another version may have other limits. */
export function sizeOf({ flag, slots, scaling }: Fleet, sizes: Sizes): number {
  const min = slots.length;
  if (!scaling) return min;
  return Math.min(Math.max(scaling.max, min), Math.max(min, sizes[flag]?.size ?? min));
}

/** The document with the slots of the sizes that load decided. */
export const atSizes = (document: DockerDocument, sizes: Sizes): DockerDocument => ({
  ...document,
  fleets: document.fleets.map((fleet) => ({ ...fleet, slots: slotsAt(fleet, sizeOf(fleet, sizes)) })),
});
