import { expect, test } from 'vitest';
import { documentDefaults } from '../../src/basics/config/documents.ts';
import { readConfig } from '../../src/basics/config.ts';

test('threads that process documents are as many as processors and memory allow, and at least one', () => {
  const threads = (processors: number, megabytes: number) =>
    documentDefaults({ processors, megabytes }).maxThreads;
  expect([threads(1, 4096), threads(2, 4096), threads(4, 4096), threads(64, 4096)]).toEqual([1, 1, 3, 4]);
  expect([threads(8, 1024), threads(8, 512), threads(8, 64)]).toEqual([4, 2, 1]);
});

test('all threads together take no more than the memory that the server leaves, while that is enough for one document', () => {
  for (const megabytes of [216, 256, 384, 512, 1024, 4096]) {
    const { maxThreads, maxMegabytes } = documentDefaults({ processors: 8, megabytes });
    expect(160 + maxThreads * (30 + maxMegabytes)).toBeLessThanOrEqual(megabytes);
    expect(maxMegabytes).toBeGreaterThanOrEqual(24);
  }
  expect(documentDefaults({ processors: 8, megabytes: 128 }).maxMegabytes).toBe(24);
});

test('settings win over the memory of the machine', () => {
  const { documents } = readConfig({ ALM_DOCUMENT_THREADS: '7', ALM_DOCUMENT_MEMORY: '500' });
  expect(documents).toMatchObject({ maxThreads: 7, maxMegabytes: 500 });
});
