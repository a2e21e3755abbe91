import { expect, it } from 'vitest';
import { backOff } from '../../src/basics/back-off.ts';

it('the delay doubles after each failure, up to the maximum', () => {
  const range = { first: 10, max: 60 };
  expect([0, 1, 2, 3, 100].map((failures) => backOff(failures, range))).toEqual([10, 20, 40, 60, 60]);
  expect(backOff(0, range, 1)).toBe(12.5);
});
