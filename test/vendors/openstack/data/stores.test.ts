import { describe, expect, it } from 'vitest';
import type { Database, Layer, StackModel } from '../../../../src/model/stack-model.ts';
import type { ChosenServer } from '../../../../src/vendors/openstack/choices.ts';
import { keptAs, replacedStores, storesOf } from '../../../../src/vendors/openstack/data.ts';
import type { OpenStackDocument } from '../../../../src/vendors/openstack/document.ts';
import { restore } from '../../../../src/vendors/openstack/layout/restore.ts';
import { preview } from '../../../../src/vendors/openstack/preview.ts';
import { fixedServers, sampleDatabase, sampleGroup, sampleModel } from '../../sample-model.ts';
import { type CompileOptions, documentOf, nextDocument } from '../compile-world.ts';
import { fullOffer, image } from '../offer.ts';

const storage = { kind: 'local', id: null, mountPath: '/data' } as const;
const container: Layer['container'] = {
  image: 'nginx',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: null,
  gitReference: 'main',
  gitPrivateKeySecret: null,
  ports: [],
  environment: {},
  users: [],
  addons: [],
  storage,
};
const withFiles = (changed: Partial<Layer> = {}, count = 1): StackModel =>
  fixedServers(count, { container, ...changed });
const withDatabase = (changed: Partial<Database> = {}): StackModel =>
  sampleModel({ databases: [sampleDatabase(changed)] });
const withCache = (engine: 'redis' | 'memcached', nodes = 1, nodeType = 'cache.t2.micro'): StackModel =>
  sampleModel({ layers: [], caches: [{ name: 'sessions', engine, nodeType, nodes }] });

const stores = (model: StackModel, options: CompileOptions = {}): string[] =>
  storesOf(documentOf(model, options)).map(({ kind, resource, name }) => `${kind} ${resource} ${name}`);

const replaced = (before: StackModel, after: StackModel, options: CompileOptions = {}): string[] => {
  const existing = documentOf(before);
  return replacedStores({ before: existing, after: nextDocument(existing, after, options) });
};

const images = { offer: { images: [...fullOffer().images, image('other')] } };

describe('the stores of a document', () => {
  it('are databases, the first nodes of Redis, the files of fixed servers, and their disks', () => {
    expect(stores(withDatabase())).toEqual(['disk Instance0OfWeb0 web0', 'database Databaseapp app']);
    expect(stores(withCache('redis', 3))).toEqual(['cache RedisData0Ofsessions sessions']);
    expect(stores(withFiles({}, 2))).toEqual([
      'disk Instance0OfWeb0 web0',
      'files Files0OfWeb0 web0',
      'disk Instance1OfWeb0 web0',
      'files Files1OfWeb0 web0',
    ]);
  });

  it('are none in groups and in Memcached', () => {
    expect(stores(sampleModel({ layers: [sampleGroup(2, 0)] }))).toEqual([]);
    expect(stores(withCache('memcached', 2))).toEqual([]);
  });

  it('are on the disks of servers where the cloud has no volumes', () => {
    const services = new Set([...fullOffer().services].filter((each) => each !== 'volumev3'));
    expect(stores(withCache('redis'), { offer: { services } })).toEqual(['cache Redis0Ofsessions sessions']);
    expect(stores(withCache('redis'), { dialect: 'k5' })).toEqual(['cache Redis0Ofsessions sessions']);
  });

  it('stay on the disks of servers of an earlier release, whose scripts mount no volume', () => {
    const { data: _, ...older } = documentOf(fixedServers(1)).choices.servers['Web0'] ?? {};
    const kept = { servers: { Web0: older as ChosenServer } };
    const document = documentOf(withFiles(), { kept });
    expect(storesOf(document).map(({ kind }) => kind)).toEqual(['disk']);
    expect(document.notes.join()).toContain('The files of layer Web0 are on the disks of its servers');
  });

  it('may be added to servers later, and come back after they were removed', () => {
    const before = documentOf(fixedServers(1));
    const added = nextDocument(before, withFiles());
    expect(storesOf(added).map(({ kind }) => kind)).toEqual(['disk', 'files']);
    expect(replacedStores({ before, after: added })).toEqual([]);
    expect(nextDocument(nextDocument(added, fixedServers(1)), withFiles()).template).toEqual(added.template);
  });
});

describe('the stores that an update replaces', () => {
  it('are none if the update changes them in place', () => {
    expect(replaced(withDatabase(), withDatabase({ storageGib: 30 }))).toEqual([]);
    expect(replaced(withCache('redis'), withCache('redis', 1, 'cache.t2.medium'))).toEqual([]);
    const sized = (sizeGib: number) => withFiles({ volume: { type: null, sizeGib } });
    expect(replaced(sized(30), sized(60))).toEqual([]);
    expect(replaced(fixedServers(1), fixedServers(1, { instanceType: 't2.medium' }))).toEqual([]);
  });

  it('are databases of another version or engine', () => {
    const datastores = ['mysql', 'postgresql'].map((name) => ({ name, versions: ['8.0', '8.4'] }));
    for (const changed of [{ engineVersion: '8.4' }, { engine: 'postgresql' }] as const)
      expect(replaced(withDatabase(), withDatabase(changed), { offer: { datastores } })).toEqual([
        'Databaseapp',
      ]);
  });

  it('are disks of servers with another image or key pair, but not their files', () => {
    expect(replaced(withFiles(), withFiles({ machineImage: 'other' }), images)).toEqual(['Instance0OfWeb0']);
    expect(replaced(withFiles(), withFiles({ keyPair: false }))).toEqual(['Instance0OfWeb0']);
  });
});

describe('the volume of files', () => {
  it('is never deleted by Heat, and moves to the server that replaces another', () => {
    const before = documentOf(withFiles());
    expect(before.template.resources['Files0OfWeb0']).toMatchObject({ deletion_policy: 'Retain' });
    const changes = preview(before, nextDocument(before, withFiles({ keyPair: false })));
    expect(changes.find(({ resource }) => resource === 'FilesAttachment0OfWeb0')).toMatchObject({
      action: 'change',
      members: ['instance_uuid'],
    });
    expect(changes.some(({ resource }) => resource === 'Files0OfWeb0')).toBe(false);
  });

  it('is mounted before the agent starts, at the directory that the agent uses', () => {
    const { properties } = documentOf(withFiles()).template.resources['Instance0OfWeb0'] ?? {};
    expect(properties).toMatchObject({ metadata: { almanac_volume: { get_resource: 'Files0OfWeb0' } } });
    expect(JSON.stringify(properties?.['user_data'])).toMatch(
      /directory=\/var\/lib\/almanac\/files.*mkfs\.ext4.*export ALM_AGENT_STORAGE_DIR=\/var\/lib\/almanac\/files.*install\.sh/,
    );
  });
});

describe('kept data', () => {
  const keeping = (document: OpenStackDocument, resource: string) => {
    const store = storesOf(document).find((each) => each.resource === resource);
    if (!store) throw new Error(`no store ${resource}`);
    return keptAs({ stackId: 'mo-1', store: { ...store, id: 'x' }, document });
  };

  it('of volumes is the volume, and that of a disk is nothing', () => {
    const document = documentOf(withFiles());
    expect(keeping(document, 'Files0OfWeb0')).toContain('volume x stays');
    expect(keeping(document, 'Instance0OfWeb0')).toBe('');
  });

  it('of a database is a backup only where the cloud has a place for it', () => {
    const services = new Set([...fullOffer().services, 'object-store'] as const);
    expect(keeping(documentOf(withDatabase(), { offer: { services } }), 'Databaseapp')).toContain('mo-1-app');
    const without = new Set([...services].filter((each) => each !== 'object-store'));
    expect(keeping(documentOf(withDatabase(), { offer: { services: without } }), 'Databaseapp')).toBe('');
  });

  it('is what a restored store is made from, also in the next versions', () => {
    const restored = restore(documentOf(withDatabase()), new Map([['Databaseapp', 'backup-1']]));
    expect(restored.template.resources['Databaseapp']?.properties).toMatchObject({
      restore_point: 'backup-1',
    });
    const next = nextDocument(restored, withDatabase({ storageGib: 30 }));
    expect(replacedStores({ before: restored, after: next })).toEqual([]);
    expect(next.template.resources['Databaseapp']?.properties).toMatchObject({ restore_point: 'backup-1' });
    const files = restore(documentOf(withFiles()), new Map([['Files0OfWeb0', 'volume-1']]));
    expect(files.template.resources['Files0OfWeb0']).toMatchObject({ external_id: 'volume-1' });
    expect(preview(files, nextDocument(files, withFiles()))).toEqual([]);
  });

  it('is not used again for a store that was removed and is declared again later', () => {
    const restored = restore(documentOf(withDatabase()), new Map([['Databaseapp', 'backup-1']]));
    const without = nextDocument(restored, sampleModel());
    const again = nextDocument(without, withDatabase());
    expect(again.template.resources['Databaseapp']?.properties).not.toHaveProperty('restore_point');
  });
});
