import { describe, expect, it } from 'vitest';
import type { Cache, Database } from '../../../../src/model/stack-model.ts';
import type { Choices } from '../../../../src/vendors/aws/choices.ts';
import { sampleModel } from '../../sample-model.ts';
import { documentOf, problemsOf, propertiesIn } from './world.ts';

const withDatabase = (changes: Partial<Database> = {}) =>
  sampleModel({
    databases: [
      {
        name: 'main',
        engine: 'postgresql',
        engineVersion: null,
        instanceType: null,
        storageGib: 50,
        replicas: 0,
        multiZone: false,
        ...changes,
      },
    ],
  });
const withCache = (changes: Partial<Cache> = {}) =>
  sampleModel({
    caches: [{ name: 'main', engine: 'redis', nodeType: 'cache.t4g.micro', nodes: 1, ...changes }],
  });

/** A choice by an earlier release with other defaults. */
const old = { engine: 'postgresql', version: '16.3', type: 'db.t3.micro', storageGib: 50, upgraded: false };
const choices: Partial<Choices> = { databases: { main: old } };

const databaseAfter = (changes: Partial<Database>, kept = choices) => {
  const document = documentOf(withDatabase(changes), { choices: kept });
  return { ...document, properties: propertiesIn(document.template, 'Databasemain') };
};

describe('an existing database', () => {
  it('keeps version and type if the model leaves them open', () => {
    for (const engineVersion of [null, '16']) {
      const { properties, choices: kept } = databaseAfter({ engineVersion });
      expect(properties).toMatchObject({ EngineVersion: '16.3', DBInstanceClass: 'db.t3.micro' });
      expect(properties).not.toHaveProperty('AllowMajorVersionUpgrade');
      expect(kept.databases).toEqual(choices.databases);
    }
  });

  it('is upgraded to another major version on request, even after failed attempts', () => {
    const first = databaseAfter({ engineVersion: '17' });
    const expected = {
      EngineVersion: '17.10',
      AllowMajorVersionUpgrade: true,
      DBInstanceClass: 'db.t3.micro',
    };
    expect(first.properties).toMatchObject(expected);
    expect(databaseAfter({ engineVersion: '17' }, first.choices).properties).toMatchObject(expected);
    expect(databaseAfter({ engineVersion: '16.9' }).properties).not.toHaveProperty(
      'AllowMajorVersionUpgrade',
    );
  });

  it('can grow, but not shrink', () => {
    expect(databaseAfter({ storageGib: 60 }).properties['AllocatedStorage']).toBe('60');
    expect(problemsOf(withDatabase({ storageGib: 40 }), { choices })).toMatchObject([
      { path: 'databases/0/storageGib', message: expect.stringContaining('50 GiB') },
    ]);
  });

  it('is a new database if its engine changes', () => {
    const { properties } = databaseAfter({ engine: 'mysql', storageGib: 20 });
    expect(properties).toMatchObject({ EngineVersion: '8.4.9', AllocatedStorage: '20' });
    expect(properties).not.toHaveProperty('AllowMajorVersionUpgrade');
  });
});

describe('a cache', () => {
  it('keeps its version, unless its engine changes', () => {
    const kept = { choices: { caches: { main: { engine: 'redis', version: '7.0' } } } };
    const versionOf = (changes: Partial<Cache>, id: string) =>
      propertiesIn(documentOf(withCache(changes), kept).template, id)['EngineVersion'];
    expect(versionOf({}, 'Cachemain')).toBe('7.0');
    expect(versionOf({ engine: 'memcached' }, 'MemcachedCachemain')).toBe('1.6.22');
  });

  it('is another resource after its engine changed, and stays that resource: CloudFormation cannot change a type', () => {
    let before = documentOf(withCache());
    const idAfter = (engine: Cache['engine']): string | undefined => {
      before = documentOf(withCache({ engine }), { choices: before.choices });
      return Object.keys(before.template.Resources).find((id) => /^\w*Cachemain$/.test(id));
    };
    expect(idAfter('redis')).toBe('Cachemain');
    expect(idAfter('memcached')).toBe('MemcachedCachemain');
    expect(idAfter('memcached')).toBe('MemcachedCachemain');
    expect(idAfter('redis')).toBe('RedisCachemain');
    expect(idAfter('redis')).toBe('RedisCachemain');
  });

  it('has its version stored when it is first created', () => {
    expect(documentOf(withCache()).choices.caches).toEqual({
      main: { engine: 'redis', version: '7.1', nodeType: 'cache.t4g.micro' },
    });
  });
});
