import { expect, it } from 'vitest';
import { removedData } from '../../../src/vendors/docker/data.ts';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { balanced, cache, database, everything } from './documents.ts';

const stackId = 'mo-5447826c870e7-data-tk';
const removed = (before: DockerDocument, after: DockerDocument | null, keepDays = 30) =>
  removedData({ stackId, before, after }, keepDays).map(({ action, resource, keptAs }) =>
    [action, resource, keptAs].join(' ').trim(),
  );
const keptFor = (volume: string, time: string) =>
  `The machine keeps its volume alm-${stackId}-${volume} ${time}; "almanac volumes list" shows it.`;

it('deleting a stack removes its primary databases and Redis, and says which volumes are kept, and how long', () => {
  expect(removed(everything(2), null)).toEqual([
    `remove database-main ${keptFor('database-main-postgresql', 'for 30 days')}`,
    `remove cache-sessions ${keptFor('cache-sessions-redis', 'for 30 days')}`,
  ]);
  const forEver = keptFor('database-main-postgresql', 'until the operator removes it');
  expect(removed(everything(2), null, 0)[0]).toBe(`remove database-main ${forEver}`);
});

it('an update that keeps its databases removes no data, however much else changes', () => {
  const after = balanced(
    5,
    { instanceType: 'm5.large' },
    { databases: [database({ replicas: 0, instanceType: 'db.large' })], caches: [cache({ nodes: 1 })] },
  );
  expect(removed(everything(2), after)).toEqual([]);
});

it('another engine replaces a database', () => {
  const withEngine = (engine: 'mysql' | 'postgresql') =>
    balanced(1, {}, { databases: [database({ engine })] });
  expect(removed(withEngine('postgresql'), withEngine('mysql'))).toEqual([
    `replace database-main ${keptFor('database-main-postgresql', 'for 30 days')}`,
  ]);
});

const now = balanced(1, {}, { caches: [cache({ nodes: 1 })] });
const older = {
  ...now,
  volumes: [],
  services: now.services.map((service) => Object.assign({}, service, { volume: null, hash: 'older' })),
};

it('the data of a Redis cache without a volume, which an older Almanac made, cannot be kept when it is removed', () => {
  expect(removed(older, null)).toEqual(['remove cache-sessions']);
  const memcached = balanced(1, {}, { caches: [cache({ nodes: 1, engine: 'memcached' })] });
  expect(removed(older, memcached)).toEqual(['replace cache-sessions']);
});

it('a Redis cache keeps its data when it gets a volume, and when the update that gives it one is cancelled', () => {
  expect(removed(older, now)).toEqual([]);
  expect(removed(now, older)).toEqual([]);
});
