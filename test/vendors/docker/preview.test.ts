import { expect, it } from 'vitest';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { preview } from '../../../src/vendors/docker/preview.ts';
import { balanced, cache, database } from './documents.ts';

const told = (before: DockerDocument | null, after: DockerDocument) =>
  preview(before, after).map(({ action, resource, members, warning }) =>
    [action, resource, ...members, warning].filter(Boolean).join(' '),
  );

it('tells everything of a new stack as added', () => {
  expect(told(null, balanced(1))).toEqual(['add web0-0', 'add balancer-web0']);
});

it('tells nothing where nothing changes', () => {
  expect(told(balanced(2), balanced(2))).toEqual([]);
});

it('tells what is replaced, and what is lost by it', () => {
  expect(told(balanced(1), balanced(1, { instanceType: 'm5.large' }))).toEqual([
    'replace web0-0 instanceType What is only on its disk is lost.',
  ]);
});

it('tells that a database keeps its data under another type, and loses it to another engine', () => {
  const before = balanced(0, {}, { databases: [database({ replicas: 0 })] });
  const typed = balanced(0, {}, { databases: [database({ replicas: 0, instanceType: 'db.large' })] });
  expect(told(before, typed)).toEqual(['replace database-main type']);
  const other = balanced(0, {}, { databases: [database({ replicas: 0, engine: 'mysql' })] });
  expect(told(before, other)).toEqual([
    'add database-main-mysql',
    'replace database-main engine volume port Its data is lost; take a backup first.',
    'remove database-main-postgresql',
  ]);
});

it('tells what goes', () => {
  const before = balanced(2, {}, { caches: [cache({ nodes: 1 })] });
  expect(told(before, balanced(1))).toEqual([
    'remove web0-1 What is only on its disk is lost.',
    'remove cache-sessions What it has cached is lost.',
  ]);
});
