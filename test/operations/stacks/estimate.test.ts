import { expect, it } from 'vitest';
import { percentile } from '../../../src/operations/stacks/read/estimate.ts';

it.each([
  [[], 0.5, null],
  [[7], 0.5, 7],
  [[7], 0.9, 7],
  [[4, 1, 3, 2], 0.5, 2],
  [[10, 20, 30, 40, 50, 60, 70, 80, 90, 100], 0.9, 90],
])('the percentile of %j at %d is %s', (samples, share, expected) => {
  expect(percentile(samples, share)).toBe(expected);
});
