import { describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../../src/model/stack-model.ts';
import { keptAs, replacedStores, restore, storesOf } from '../../../src/vendors/aws/data.ts';
import type { AwsDocument } from '../../../src/vendors/aws/document.ts';
import { disksIn } from '../../../src/vendors/aws/layout/disks.ts';
import { billables } from '../../../src/vendors/aws/prices/billables.ts';
import { items } from '../../../src/vendors/aws/prices/items.ts';
import { sampleDatabase, sampleLayer, sampleModel } from '../sample-model.ts';
import { documentOf, problemsOf, propertiesIn, sampleContainer } from './compile/world.ts';

const storage = { kind: 'local', id: null, mountPath: '/data' } as const;
const layer = (changes: Partial<Layer> = {}): Layer =>
  sampleLayer({ flag: 'web', capacity: { kind: 'fixed', count: 2 }, ...changes });
const withFiles = (changes: Partial<Layer> = {}): StackModel =>
  sampleModel({ layers: [layer({ container: sampleContainer({ storage }), ...changes })] });
const redis = { name: 'main', engine: 'redis', nodeType: 'cache.t4g.micro', nodes: 1 } as const;
const everything: StackModel = {
  ...withFiles(),
  databases: [sampleDatabase({ replicas: 1 })],
  caches: [redis, { ...redis, name: 'pages', engine: 'memcached' }],
};

/** What the next version of the stack becomes, as after `choose`. */
const next = (before: AwsDocument, model: StackModel): AwsDocument =>
  documentOf(model, { choices: { ...before.choices, disks: disksIn(before) } });
const replacedBy = (before: AwsDocument, model: StackModel) =>
  replacedStores({ before, after: next(before, model) });
const volume = (sizeGib: number, type = 'gp3') => ({ volume: { type, sizeGib } });

it('stores are primary databases, Redis, volumes with files and servers outside groups; replicas and Memcached are none', () => {
  const stores = storesOf(documentOf(everything)).map(({ resource, kind, name }) => [resource, kind, name]);
  expect(stores).toEqual([
    ['Filesapnortheast1a0Ofweb', 'files', 'web'],
    ['Filesapnortheast1a1Ofweb', 'files', 'web'],
    ['Instance0Ofweb', 'disk', 'web'],
    ['Instance1Ofweb', 'disk', 'web'],
    ['Databaseapp', 'database', 'app'],
    ['Cachemain', 'cache', 'main'],
  ]);
});

describe('an update replaces', () => {
  const before = documentOf(withFiles(volume(30)));

  it('the disks of servers with another image, type of volume or key pair, and keeps their files', async () => {
    for (const change of [{ machineImage: 'ami-0123456789abcdef0' }, volume(30, 'gp2'), { keyPair: false }])
      expect(await replacedBy(before, withFiles({ ...volume(30), ...change }))).toEqual([
        'Instance0Ofweb',
        'Instance1Ofweb',
      ]);
  });

  it('no disk that only grows, and no server that is only restarted or changed in place', async () => {
    for (const change of [
      volume(100),
      { instanceType: 't3.large' },
      { capacity: { kind: 'fixed', count: 3 } as const },
    ])
      expect(await replacedBy(before, withFiles({ ...volume(30), ...change }))).toEqual([]);
  });

  it('no volume in another zone: the new zone has a volume of its own, and the old one is removed', async () => {
    const after = next(before, withFiles({ ...volume(30), zone: 'ap-northeast-1c' }));
    expect(await replacedStores({ before, after })).toEqual(['Instance0Ofweb', 'Instance1Ofweb']);
    expect(storesOf(after).map(({ resource }) => resource)).toContain('Filesapnortheast1c0Ofweb');
    expect(storesOf(after).map(({ resource }) => resource)).not.toContain('Filesapnortheast1a0Ofweb');
  });
});

describe('the disk of a server', () => {
  const before = documentOf(withFiles(volume(30)));

  it('has the size in the template that it was made with, and an output with the size that it grows to', () => {
    const { template } = next(before, withFiles(volume(100)));
    expect(propertiesIn(template, 'Instance0Ofweb')['BlockDeviceMappings']).toMatchObject([
      { Ebs: { VolumeSize: 30 } },
    ]);
    expect(propertiesIn(template, 'Filesapnortheast1a0Ofweb')).toMatchObject({ Size: 30 });
    expect(template.Outputs['AlmanacGibInstance0Ofweb']?.Value).toBe('100');
    expect(before.template.Outputs['AlmanacGibInstance0Ofweb']).toBeUndefined();
  });

  it('is charged by the size that it grows to, and so is the volume with the files', () => {
    const gibIn = (document: AwsDocument) =>
      billables(document)
        .flatMap(({ charges }) => charges)
        .filter(({ item }) => item === items.volume('gp3'))
        .map(({ atMinimum }) => atMinimum);
    expect(gibIn(before)).toEqual([30, 30, 30, 30]);
    expect(gibIn(next(before, withFiles(volume(100))))).toEqual([100, 100, 100, 100]);
  });

  it('of a new server has the new size at once', () => {
    const capacity = { kind: 'fixed', count: 3 } as const;
    const { template } = next(before, withFiles({ ...volume(100), capacity }));
    expect(propertiesIn(template, 'Instance2Ofweb')['BlockDeviceMappings']).toMatchObject([
      { Ebs: { VolumeSize: 100 } },
    ]);
    expect(template.Outputs['AlmanacGibInstance2Ofweb']).toBeUndefined();
  });

  it('cannot shrink', () => {
    const { choices } = next(before, withFiles(volume(100)));
    expect(problemsOf(withFiles(volume(50)), { choices })).toEqual([
      {
        path: 'layers/0/volume/sizeGib',
        message: 'AWS cannot shrink a disk: the servers already have 100 GiB.',
      },
    ]);
  });

  it('of a stack of an earlier release grows in place too, and its files stay on it', () => {
    const { disks: _disks, ...choices } = before.choices;
    const {
      Filesapnortheast1a0Ofweb: _0,
      Filesapnortheast1a1Ofweb: _1,
      ...Resources
    } = before.template.Resources;
    const earlier = { choices, template: { ...before.template, Resources } } as unknown as AwsDocument;
    const after = next(earlier, withFiles(volume(100)));
    expect(after.choices.disks['Instance0Ofweb']).toEqual({
      type: 'gp3',
      madeGib: 30,
      sizeGib: 100,
      files: false,
    });
    expect(storesOf(after).map(({ kind }) => kind)).toEqual(['disk', 'disk']);
    expect(after.notes).toEqual([expect.stringContaining('made without a volume for files')]);
  });
});

describe('a restored store', () => {
  const references = new Map([
    ['Databaseapp', 'alm-1-snapshot-databaseapp-x'],
    ['Cachemain', 'alm-1-snapshot-cachemain-x'],
    ['Filesapnortheast1a0Ofweb', 'snap-1'],
  ]);
  const restored = restore(documentOf(everything), references);
  const membersIn = ({ template }: AwsDocument) => [
    propertiesIn(template, 'Databaseapp')['DBSnapshotIdentifier'],
    propertiesIn(template, 'Cachemain')['SnapshotName'],
    propertiesIn(template, 'Filesapnortheast1a0Ofweb')['SnapshotId'],
    propertiesIn(template, 'Filesapnortheast1a1Ofweb')['SnapshotId'],
  ];

  it('names its snapshot, and not what the snapshot contains', () => {
    expect(membersIn(restored)).toEqual([...references.values(), undefined]);
    for (const member of ['MasterUsername', 'DBName', 'StorageEncrypted'])
      expect(propertiesIn(restored.template, 'Databaseapp')).not.toHaveProperty(member);
  });

  it('is the same in the next version: AWS would replace it by an empty one', async () => {
    const after = next(restored, everything);
    expect(after.template).toEqual(restored.template);
    expect(await replacedStores({ before: restored, after })).toEqual([]);
  });

  it('is forgotten once the store is removed, or has another engine', () => {
    const without = next(restored, { ...everything, databases: [], caches: [] });
    expect(without.choices.restored).toEqual({ Filesapnortheast1a0Ofweb: 'snap-1' });
    const other = next(restored, { ...everything, databases: [sampleDatabase({ engine: 'postgresql' })] });
    expect(propertiesIn(other.template, 'Databaseapp')).not.toHaveProperty('DBSnapshotIdentifier');
  });
});

it('the data of databases, Redis and volumes can be kept; that of disks and of the oldest node type cannot', () => {
  const document = documentOf({ ...everything, caches: [{ ...redis, nodeType: 'cache.t1.micro' }] });
  const kept = Object.fromEntries(
    storesOf(document).map((store) => [
      store.resource,
      keptAs({ stackId: 'mo-1', store: { ...store, id: 'vol-1' }, document }),
    ]),
  );
  expect(kept).toMatchObject({
    Databaseapp: expect.stringContaining('alm-mo-1-snapshot-databaseapp-'),
    Filesapnortheast1a0Ofweb: expect.stringContaining('vol-1'),
    Cachemain: '',
    Instance0Ofweb: '',
  });
});
