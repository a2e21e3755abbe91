import { describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../src/model/stack-model.ts';
import { keptAs, replacedStores, storesOf } from '../../../src/vendors/alicloud/data.ts';
import type { DeclaredStore } from '../../../src/vendors/data.ts';
import { fixedServers, sampleDatabase, sampleGroup, sampleModel } from '../sample-model.ts';
import { documentOf, nextDocument } from './compile-world.ts';
import { serversWithFiles } from './files-model.ts';

const stack = sampleModel({
  databases: [sampleDatabase({ replicas: 1 })],
  caches: [
    { name: 'sessions', engine: 'redis', nodeType: 'redis.master.small.default', nodes: 2 },
    { name: 'pages', engine: 'memcached', nodeType: 'memcache.master.small.default', nodes: 1 },
  ],
});

describe('the stores of a document', () => {
  const named = (model: StackModel): string[] =>
    storesOf(documentOf(model)).map(({ kind, resource, name }) => `${kind} ${resource} ${name}`);

  it('are primaries, Redis and the disks of fixed servers, but no replicas and no Memcached', () => {
    expect(named(stack)).toEqual([
      'disk InstancesWeb0 web0',
      'database Databaseapp app',
      'cache Redissessions sessions',
    ]);
  });

  it('have files where containers of fixed servers keep some, and none in groups', () => {
    expect(named(serversWithFiles(2))).toEqual(['disk InstancesWeb0 web0', 'files InstancesWeb0 web0']);
    const { capacity } = sampleGroup(1, 0);
    expect(named(serversWithFiles(1, { capacity }))).toEqual([]);
  });
});

describe('the stores that a change replaces', () => {
  const replaced = (before: StackModel, after: StackModel): string[] => {
    const existing = documentOf(before);
    return replacedStores({ before: existing, after: nextDocument(existing, after) });
  };
  const changed = (changes: Partial<Layer>): string[] => replaced(fixedServers(1), fixedServers(1, changes));

  it('are the disks of servers that get another image or other addresses', () => {
    expect(changed({ machineImage: 'm-1' })).toEqual(['InstancesWeb0']);
    const subnet = { cidr: '10.0.0.0/24', public: true, assignPublicIp: false };
    expect(changed({ subnet })).toEqual(['InstancesWeb0']);
  });

  it('are all disks of a layer with fewer servers: Alibaba Cloud chooses which go', () => {
    expect(replaced(fixedServers(3), fixedServers(2))).toEqual(['InstancesWeb0']);
    expect(replaced(fixedServers(2), fixedServers(3))).toEqual([]);
  });

  it('are none if servers restart or their disks grow', () => {
    expect(changed({ instanceType: 'ecs.g7.large' })).toEqual([]);
    expect(changed({ volume: { type: null, sizeGib: 100 } })).toEqual([]);
    expect(changed({ keyPair: false })).toEqual([]);
  });

  it('are none if databases and caches change in place, and no members of groups', () => {
    const larger = { ...stack, databases: [sampleDatabase({ replicas: 1, storageGib: 100 })] };
    expect(replaced(stack, larger)).toEqual([]);
    const group = (image: string) => sampleModel({ layers: [{ ...sampleGroup(1, 0), machineImage: image }] });
    expect(replaced(group('m-1'), group('m-2'))).toEqual([]);
  });

  it('do not contain what is removed', () => {
    expect(replaced(stack, sampleModel())).toEqual([]);
  });
});

describe('what is kept', () => {
  const kept = (kind: DeclaredStore['kind'], model: StackModel): string => {
    const document = documentOf(model);
    const store = storesOf(document).find((each) => each.kind === kind)!;
    return keptAs({ stackId: 'mo-1', store: { ...store, id: 'id' }, document });
  };

  it('is a backup of MySQL and a snapshot of files', () => {
    expect(kept('database', stack)).toContain('Backups for Deleted Instances');
    expect(kept('files', serversWithFiles(1))).toContain('Snapshots');
  });

  it('is nothing of PostgreSQL, Redis and disks', () => {
    const postgresql = sampleModel({ databases: [sampleDatabase({ engine: 'postgresql' })] });
    expect(kept('database', postgresql)).toBe('');
    expect(kept('cache', stack)).toBe('');
    expect(kept('disk', stack)).toBe('');
  });
});
