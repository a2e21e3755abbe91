import { expect, it } from 'vitest';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { preview } from '../../../src/vendors/docker/preview.ts';
import { balanced, cache, database } from './documents.ts';

const changes = (before: DockerDocument | null, after: DockerDocument) =>
  preview(before, after).map(({ action, resource, members, warning }) =>
    [action, resource, ...members, warning].filter(Boolean).join(' '),
  );

it('preview shows every part of a new stack as added', () => {
  expect(changes(null, balanced(1))).toEqual(['add web0-0', 'add balancer-web0']);
});

it('preview shows nothing when nothing changes', () => {
  expect(changes(balanced(2), balanced(2))).toEqual([]);
});

it('preview shows which members of a server replace it', () => {
  expect(changes(balanced(1), balanced(1, { instanceType: 'm5.large' }))).toEqual([
    'replace web0-0 instanceType',
  ]);
});

it('preview shows that a database uses its data with another type, and another volume with another engine', () => {
  const before = balanced(0, {}, { databases: [database({ replicas: 0 })] });
  const typed = balanced(0, {}, { databases: [database({ replicas: 0, instanceType: 'db.large' })] });
  expect(changes(before, typed)).toEqual(['replace database-main type']);
  const other = balanced(0, {}, { databases: [database({ replicas: 0, engine: 'mysql' })] });
  expect(changes(before, other)).toEqual([
    'add database-main-mysql',
    'replace database-main engine volume port',
    'remove database-main-postgresql',
  ]);
});

it('preview shows the volumes, servers and caches that a smaller stack no longer has', () => {
  const caches = [cache({ nodes: 1 }), cache({ name: 'pages', engine: 'memcached', nodes: 1 })];
  expect(changes(balanced(2, {}, { caches }), balanced(1))).toEqual([
    'remove cache-sessions-redis',
    'remove web0-1',
    'remove cache-sessions',
    'remove cache-pages',
  ]);
});
