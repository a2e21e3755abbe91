import { expect, it } from 'vitest';
import { InProgress } from '../../../src/server/http/in-progress.ts';

it('several changes at the same time are a crowd until shortly after all but one have ended, and a single one is none', () => {
  let now = 0;
  const changes = new InProgress(() => now);
  const endFirst = changes.begin();
  expect(changes.isCrowded).toBe(false);
  const endSecond = changes.begin();
  expect(changes.isCrowded).toBe(true);
  endFirst();
  now = 19;
  expect(changes.isCrowded).toBe(true);
  now = 20;
  expect(changes.isCrowded).toBe(false);
  endSecond();
  expect(changes.isCrowded).toBe(false);
});

it('changes that take long, or whose end is never seen, are not counted', () => {
  let now = 0;
  const changes = new InProgress(() => now);
  for (let count = 0; count < 3; count += 1) changes.begin();
  expect(changes.isCrowded).toBe(true);
  now = 2_000;
  expect(changes.isCrowded).toBe(false);
  changes.begin();
  expect(changes.isCrowded).toBe(false);
});
