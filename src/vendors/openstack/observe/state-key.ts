import type { HeatStack } from './list-stacks.ts';

/** What decides whether something read once for an operation of the stack is still right. */
export const stateKey = ({ heatId, status, updatedAt, version }: HeatStack): string =>
  [heatId, status, updatedAt, version].join(' ');
