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
