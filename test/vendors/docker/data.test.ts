import { describe, expect, it } from 'vitest';
import type { Layer } from '../../../src/model/stack-model.ts';
import { keptAs, replacedStores, restore, storesOf } from '../../../src/vendors/docker/data.ts';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { fixedServers, sampleGroup, sampleModel } from '../sample-model.ts';
import { balanced, cache, compiled, database, everything, storing } from './documents.ts';

const local = storing('local');
const shared = storing('efs', 'fs-1');
const servers = (count: number, layer: Partial<Layer> = {}) => compiled(fixedServers(count, layer));
const resources = (document: DockerDocument) =>
  storesOf(document).map(({ kind, resource, name }) => `${kind} ${resource} of ${name}`);
const replaced = (before: DockerDocument, after: DockerDocument) => replacedStores({ before, after });

describe('the stores of a document', () => {
  it('are its primary databases and Redis, and not replicas, Memcached and members of groups', () => {
    const caches = [cache(), cache({ name: 'pages', engine: 'memcached' })];
    const document = balanced(2, {}, { databases: [database()], caches });
    expect(resources(document)).toEqual([
      'database database-main of main',
      'cache cache-sessions of sessions',
    ]);
  });

  it('are the disk of each server outside groups and, with container_storage, its persistent files', () => {
    expect(resources(servers(2))).toEqual(['disk web0-0 of web0', 'disk web0-1 of web0']);
    expect(resources(servers(2, { container: local }))).toEqual([
      'files storage-web0-0 of web0',
      'files storage-web0-1 of web0',
      'disk web0-0 of web0',
      'disk web0-1 of web0',
    ]);
  });

  it('are shared files, also those of a group, and not the local files of a group, whose members come and go', () => {
    const group = (container: Layer['container']) =>
      compiled(sampleModel({ layers: [{ ...sampleGroup(2, 0), container }] }));
    expect(resources(group(shared))).toEqual(['files files-fs1 of fs1']);
    expect(resources(group(local))).toEqual([]);
  });
});

describe('an update replaces', () => {
  it('no store of a database, cache or files, however much else changes', () => {
    const after = balanced(
      5,
      { instanceType: 'm5.large' },
      {
        databases: [database({ replicas: 0, instanceType: 'db.large', storageGib: 50 })],
        caches: [cache({ nodes: 1, nodeType: 'large' })],
      },
    );
    expect(replaced(everything(2), after)).toEqual([]);
  });

  it('a database that gets another engine', () => {
    const withEngine = (engine: 'mysql' | 'postgresql') =>
      balanced(1, {}, { databases: [database({ engine })] });
    expect(replaced(withEngine('postgresql'), withEngine('mysql'))).toEqual(['database-main']);
  });

  it('the disk of a server whose container changes, and never its persistent files', () => {
    const before = servers(2, { container: local });
    expect(replaced(before, servers(2, { container: local, instanceType: 'm5.large' }))).toEqual([
      'web0-0',
      'web0-1',
    ]);
  });

  it('no disk of a server that stays: other images, sizes of disks, local files and further servers', () => {
    const volume = { type: null, sizeGib: 100 };
    expect(replaced(servers(1), servers(3, { container: local, volume, machineImage: 'ami-1' }))).toEqual([]);
  });
});

const stackId = 'mo-5447826c870e7-data-tk';
const kept = (kind: 'database' | 'disk', keepDays: number) => {
  const store = {
    id: `alm-${stackId}-database-main-postgresql@1a2b`,
    resource: 'r',
    resourceType: 't',
    kind,
  };
  return keptAs({ stackId, store: { ...store, name: 'main' }, document: undefined }, keepDays);
};

it('the volume of a store is named with how long it is kept, and the disk of a server is not kept', () => {
  const volume = `alm-${stackId}-database-main-postgresql`;
  expect(kept('database', 30)).toBe(
    `The machine keeps its volume ${volume} for 30 days; "almanac volumes list" shows it. A rollback in that time uses it again, with its data.`,
  );
  expect(kept('database', 0)).toContain(`${volume} until the operator removes it`);
  expect(kept('disk', 30)).toBe('');
});

it('a restored document names the kept volume of each store, and is otherwise the same', () => {
  const document = everything(1);
  const restored = restore(document, new Map([['database-main', 'alm-other-database-main-postgresql']]));
  expect(restored).toEqual({
    ...document,
    restored: { 'database-main-postgresql': 'alm-other-database-main-postgresql' },
  });
  expect(replaced(document, restored)).toEqual([]);
});
