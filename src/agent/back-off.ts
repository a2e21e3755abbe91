/** Doubles with every failure, up to the ceiling. `chance` (0…1) spreads many agents over a quarter of it. */
export const backOff = (failures: number, first: number, ceiling: number, chance = 0): number =>
  Math.min(ceiling, first * 2 ** Math.min(failures, 30)) * (1 + chance / 4);
