import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/model/stack-model.ts';
import type { AwsDocument } from '../../../../src/vendors/aws/document.ts';
import { sampleModel } from '../../sample-model.ts';
import type { CannedWorld } from '../canned-clients.ts';
import { awsError } from '../canned-groups.ts';
import { cache, database, offers, submit, withCache, withDatabase } from './offers-world.ts';

const databaseIn = ({ choices }: AwsDocument) => choices.databases['main'];
const servicesAsked = ({ calls }: CannedWorld): string[] =>
  calls.filter((call) => /DBEngine|Orderable|CacheEngine|Reserved|Regions/.test(call));

describe('a new database', () => {
  it.each<[string, Partial<Database>, string, string]>([
    ['the default version', {}, '8.4.10', 'db.t4g.micro'],
    ['a major version', { engineVersion: '8.0' }, '8.0.40', 'db.t4g.micro'],
    ['a full version', { engineVersion: '8.4.3' }, '8.4.3', 'db.t4g.micro'],
    ['another engine', { engine: 'postgresql' }, '17.10', 'db.t4g.micro'],
    ['a standby', { multiZone: true }, '8.4.10', 'db.t3.micro'],
    ['a class', { instanceType: 'db.m6g.large', replicas: 1 }, '8.4.10', 'db.m6g.large'],
  ])(
    'with %s gets the newest minor version and a class that AWS offers',
    async (_, changes, version, type) => {
      expect(databaseIn(await submit(offers(), withDatabase(changes)))).toMatchObject({ version, type });
    },
  );

  it.each<[string, Partial<Database>, string]>([
    [
      'a full version',
      { engineVersion: '8.4.99' },
      'databases/0/engineVersion: AWS does not offer version 8.4.99 of mysql in ap-northeast-1. Use one of 8.4.10, 8.4.9, 8.4.3.',
    ],
    [
      'a major version',
      { engineVersion: '9.1' },
      'databases/0/engineVersion: AWS does not offer version 9.1 of mysql in ap-northeast-1. Use one of 8.4, 8.0.',
    ],
    [
      'a class',
      { instanceType: 'db.t4g.mircro' },
      'databases/0/instanceType: AWS does not offer database class db.t4g.mircro for mysql 8.4.10 in ap-northeast-1. Use one of db.t4g.micro, db.t4g.small, db.t3.micro, db.m6g.large.',
    ],
    [
      'a class with a standby',
      { instanceType: 'db.t4g.micro', multiZone: true },
      'databases/0/instanceType: AWS does not offer database class db.t4g.micro for mysql 8.4.10 with a standby in ap-northeast-1. Use one of db.t4g.small, db.t3.micro, db.m6g.large.',
    ],
  ])('is refused with the alternatives when AWS does not offer %s', async (_, changes, problem) => {
    await expect(submit(offers(), withDatabase(changes))).rejects.toThrow(problem);
  });

  it('takes one list of versions and one of classes, for all databases of the same kind', async () => {
    const world = offers({ versions: { mysql: ['8.4.9'] }, classes: { 'db.t4g.micro': { multi: true } } });
    await submit(world, sampleModel({ databases: [database(), database({ name: 'other' })] }));
    expect(servicesAsked(world)).toEqual(['describeDBEngineVersions', 'describeOrderableDBInstanceOptions']);
  });
});

describe('an existing database', () => {
  it('keeps its version and is not asked about, until its version or class changes', async () => {
    const before = await submit(offers(), withDatabase());
    const world = offers({ versions: { mysql: ['8.4.11'] } });
    const same = await submit(world, withDatabase({ engineVersion: '8.4', storageGib: 30 }), before);
    expect(databaseIn(same)?.version).toBe('8.4.10');
    expect(servicesAsked(world)).toEqual([]);
    await expect(submit(offers(), withDatabase({ instanceType: 'db.x.large' }), before)).rejects.toThrow(
      'databases/0/instanceType',
    );
  });
});

describe('a cache', () => {
  it('gets the newest minor version of the default major version, and keeps it', async () => {
    const before = await submit(offers(), withCache());
    expect(before.choices.caches['main']).toEqual({
      engine: 'redis',
      version: '7.1',
      nodeType: 'cache.t4g.micro',
    });
    const memcached = await submit(offers(), withCache({ engine: 'memcached' }));
    expect(memcached.choices.caches['main']?.version).toBe('1.6.22');
    const world = offers({ versions: { redis: ['7.2'] } });
    expect((await submit(world, withCache({ nodes: 2 }), before)).choices.caches['main']?.version).toBe(
      '7.1',
    );
    expect(servicesAsked(world)).toEqual([]);
  });

  it('of an earlier release, stored without its node type, is neither asked about nor refused', async () => {
    const before = await submit(offers(), withCache());
    const caches = { main: { engine: 'redis', version: '7.1' } };
    const world = offers({ nodeTypes: ['cache.t4g.small'] });
    const after = await submit(world, withCache(), { ...before, choices: { ...before.choices, caches } });
    expect(after.choices.caches['main']).toEqual({ ...caches.main, nodeType: 'cache.t4g.micro' });
    expect(servicesAsked(world)).toEqual([]);
  });

  it('is refused with a size that its family does not have, and noted with an unknown family', async () => {
    await expect(submit(offers(), withCache({ nodeType: 'cache.t4g.huge' }))).rejects.toThrow(
      'caches/0/nodeType: AWS does not offer node type cache.t4g.huge for redis in ap-northeast-1. Use one of cache.t4g.micro, cache.t4g.small, cache.m7g.large.',
    );
    const { notes } = await submit(offers(), withCache({ nodeType: 'cache.t1.micro' }));
    expect(notes).toEqual([expect.stringContaining('lists no node type cache.t1.micro')]);
  });
});

describe('without the permission to ask', () => {
  const denied = awsError('AccessDenied', 'not authorized to perform this', 403);
  const refusals = Object.fromEntries(
    [
      'describeDBEngineVersions',
      'describeCacheEngineVersions',
      'describeReservedCacheNodesOfferings',
      'describeRegions',
    ].map((call) => [call, denied]),
  );

  it('a stack is created with major versions, and a note says what was not checked', async () => {
    const model = sampleModel({ databases: [database()], caches: [cache()] });
    const { template, notes } = await submit(offers({ refusals }), model);
    const propertiesOf = (id: string) => template.Resources[id]?.Properties ?? {};
    expect(propertiesOf('Databasemain')).toMatchObject({
      EngineVersion: '8.4',
      DBInstanceClass: 'db.t4g.micro',
    });
    expect(propertiesOf('Cachemain')).not.toHaveProperty('EngineVersion');
    expect(notes).toEqual([
      expect.stringContaining('Version 8.4 of mysql could not be checked in ap-northeast-1'),
      expect.stringContaining('Node type cache.t4g.micro could not be checked'),
    ]);
    expect(notes?.[0]).toContain('not authorized to perform this');
  });

  it('a region that not every account has is noted', async () => {
    const { notes } = await submit(
      offers({
        refusals,
        zones: ['eu-south-2a'],
        types: { 't3.micro': { runs: ['x86_64'], zones: ['eu-south-2a'] } },
      }),
      sampleModel({ region: 'eu-south-2' }),
    );
    expect(notes).toEqual([expect.stringContaining('Region eu-south-2 could not be checked')]);
  });
});

describe('without an answer in time', () => {
  it('a stack is created after some seconds for all questions together, and notes say what was not checked', async () => {
    const silent = [
      'describeDBEngineVersions',
      'describeCacheEngineVersions',
      'describeReservedCacheNodesOfferings',
    ];
    const databases = [database(), database({ name: 'other', engine: 'postgresql' })];
    const model = sampleModel({ databases, caches: [cache()] });
    const world = offers({ silent });
    const { notes } = await submit(world, model);
    expect(notes).toEqual([
      expect.stringContaining('Version 8.4 of mysql could not be checked'),
      expect.stringContaining('Version 17 of postgresql could not be checked'),
      expect.stringContaining('Node type cache.t4g.micro could not be checked'),
    ]);
    for (const note of notes ?? []) expect(note).toContain('AWS did not answer within 5 seconds.');
  });
});

describe('a region', () => {
  const regions = {
    'us-east-1': 'opt-in-not-required',
    'eu-south-2': 'opted-in',
    'me-central-1': 'not-opted-in',
  };
  const inSouth = {
    zones: ['eu-south-2a'],
    types: { 't3.micro': { runs: ['x86_64'], zones: ['eu-south-2a'] } },
  };

  it('that the account enabled is accepted; AWS is asked once, and not about an existing stack', async () => {
    const world = offers({ ...inSouth, regions });
    const before = await submit(world, sampleModel({ region: 'eu-south-2' }));
    expect(before.notes).toEqual([]);
    await submit(world, sampleModel({ region: 'eu-south-2' }), before);
    expect(servicesAsked(world)).toEqual(['describeRegions']);
  });

  it('that the account did not enable, or that does not exist, is refused with the way out', async () => {
    await expect(submit(offers({ regions }), sampleModel({ region: 'me-central-1' }))).rejects.toThrow(
      /^region: Region me-central-1 is not enabled.*aws account enable-region --region-name me-central-1.*Use one of eu-south-2, us-east-1\.$/,
    );
    await expect(submit(offers({ regions }), sampleModel({ region: 'eu-east-9' }))).rejects.toThrow(
      'region: Unknown AWS region eu-east-9. Use one of eu-south-2, us-east-1.',
    );
  });

  it('that every account has is not asked about', async () => {
    const world = offers();
    await submit(world, sampleModel());
    expect(servicesAsked(world)).toEqual([]);
  });
});

describe('the limits of AWS', () => {
  it('storage below the minimum is raised, and a note says so once', async () => {
    const before = await submit(offers(), withDatabase({ storageGib: 5 }));
    expect(before.notes).toEqual(['Database main gets 20 GiB of storage instead of 5, the minimum of AWS.']);
    expect(databaseIn(before)?.storageGib).toBe(20);
    expect((await submit(offers(), withDatabase({ storageGib: 5 }), before)).notes).toEqual([]);
  });

  it.each([
    ['io1', 4, 100],
    ['io1', 1000, 10_000],
    ['io1', 16_384, 64_000],
    ['io2', 16_384, 163_840],
  ])('%s volumes of %d GiB have %d IOPS', async (type, sizeGib, Iops) => {
    const [layer] = sampleModel().layers;
    const volume = { type, sizeGib: Math.max(8, sizeGib) };
    const { template } = await submit(offers(), sampleModel({ layers: [{ ...layer!, volume }] }));
    expect(JSON.stringify(template.Resources)).toContain(`"Iops":${Iops}`);
  });
});
