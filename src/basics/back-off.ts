export interface BackOffRange {
  first: number;
  max: number;
}

/** Doubles with every failure up to `max`. `jitter` (0…1) adds up to a quarter, so that many clients spread out. */
export const backOff = (failures: number, { first, max }: BackOffRange, jitter = 0): number =>
  Math.min(max, first * 2 ** Math.min(failures, 30)) * (1 + jitter / 4);
