import { describe, expect, test } from 'vitest';
import { compileConfiguration } from '../../../src/languages/v2-configuration/compile.ts';
import { readConfigurations } from '../../../src/languages/v2-configuration/read-configurations.ts';
import {
  balanced,
  compiledFrom,
  documentOf,
  problemsIn,
  problemsOfNew,
  region,
  single,
  storedFrom,
  valueOf,
} from './documents.ts';

const database = { Engine: 'db_mysql', DBtype: 'db.t3.small', DBStorage: '20' };
const cache = { ElastiCacheEngine: 'Redis', ElastiCacheNodeType: 'cache.t3.micro', ElastiCacheNodes: '2' };

describe('configurations in a request', () => {
  test('may be the JSON text of an object', () => {
    const { model, document } = compiledFrom(balanced);
    expect(compiledFrom(JSON.stringify(balanced))).toMatchObject({ model, document });
    expect(valueOf(readConfigurations('{"min":5,"max":20}'))).toEqual({
      configuration: { min: '5', max: '20' },
      server: {},
    });
  });

  test('may be empty, which changes nothing', () => {
    for (const value of [undefined, null, '', {}])
      expect(valueOf(readConfigurations(value))).toEqual({ configuration: {}, server: {} });
  });

  test('of the existing command line are accepted', () => {
    const sent = {
      ...balanced,
      region,
      image: 'library/php',
      dockerHubUsername: '',
      dockerHubPassword: '',
      min: 2,
      max: 10,
      spotRange: 50,
      nickname: '',
      code: '',
      gitReference: 'master',
      gitPrivateKey: '',
      database: [{ Engine: 'db_mysql', DBType: 'db.t3.small', DBStorage: '20', ReadReplica1: true }],
      elasticache: [cache],
    };
    expect(storedFrom(sent).configuration).toEqual({
      ...balanced,
      region,
      image: 'library/php',
      min: '2',
      max: '10',
      spotRange: '50',
      gitReference: 'master',
      database: [
        {
          ...database,
          ReadReplica1: 'true',
          ReadReplica2: 'false',
          ReadReplica3: 'false',
          ReadReplica4: 'false',
          ReadReplica5: 'false',
        },
      ],
      elasticache: [cache],
    });
  });

  test('may be what describing the stack returned', () => {
    const answered = { ...balanced, AWS: 'AKIA****', AWS_ACCOUNT_NAME: 'main', region };
    const { model, document } = compiledFrom(balanced);
    expect(compiledFrom(answered)).toMatchObject({ model, document });
  });

  test.each([
    ['true', 'false', true],
    [true, false, 'TRUE'],
  ])('have one replica for each true flag: %j, %j, %j', (one, two, three) => {
    const item = { ...database, ReadReplica1: one, readreplica3: two, READREPLICA5: three };
    expect(compiledFrom({ ...single, database: [item] }).model.databases[0]?.replicas).toBe(2);
  });
});

describe('defaults of a configuration', () => {
  test('a group has one server unless min or max is set', () => {
    const capacityOf = (range: object) => compiledFrom({ ...balanced, ...range }).model.layers[0]?.capacity;
    expect(capacityOf({})).toMatchObject({ kind: 'group', min: 1, max: 1, spotPercent: 0, zones: [] });
    expect(capacityOf({ min: 3 })).toMatchObject({ min: 3, max: 3 });
    expect(capacityOf({ max: 0 })).toMatchObject({ min: 0, max: 0 });
    expect(capacityOf({ min: '0', max: '4', spotRange: '100' })).toMatchObject({
      min: 0,
      max: 4,
      spotPercent: 100,
    });
  });

  test('a single server ignores min and max, and is stored as one', () => {
    const { model, document } = compiledFrom({ ...single, min: 9, max: 3 });
    expect(model.layers[0]?.capacity).toEqual({ kind: 'fixed', count: 1 });
    expect(document).toMatchObject({ configuration: { min: '1', max: '1' } });
  });

  test('a stack has a container when it has an image or code', () => {
    const containerOf = (more: object) => compiledFrom({ ...single, ...more }).model.layers[0]?.container;
    expect(containerOf({})).toBeNull();
    expect(containerOf({ image: 'http://images.example.com/x' })).toMatchObject({
      image: 'images.example.com/x',
      gitRepository: null,
    });
    expect(containerOf({ code: 's3://bucket/site.zip' })).toMatchObject({
      image: null,
      codeSource: 'git',
      gitRepository: 's3://bucket/site.zip',
      gitReference: 'master',
    });
    expect(containerOf({ code: 'bucket/site.zip', codeSource: 'object_store' })).toMatchObject({
      codeSource: 'object_store',
      gitRepository: 'bucket/site.zip',
    });
  });

  test('the default git reference is stored when there is code', () => {
    expect(storedFrom({ ...single, code: 'x' }).configuration.gitReference).toBe('master');
    expect(storedFrom(single).configuration.gitReference).toBeUndefined();
  });

  test('databases and caches are named after the layer, with numbers from the second on', () => {
    const { databases, caches } = compiledFrom({
      ...single,
      database: [database, database, database],
      elasticache: [cache, cache],
    }).model;
    expect(databases.map(({ name }) => name)).toEqual(['web', 'web2', 'web3']);
    expect(caches.map(({ name }) => name)).toEqual(['web', 'web2']);
  });

  test('the region must be the stack’s region and is stored', () => {
    const { model, document } = compiledFrom(single);
    expect(model.region).toBe(region);
    expect(document).toMatchObject({ configuration: { region } });
    expect(problemsIn(compileConfiguration(documentOf({ ...single, region: 'us-east-1' }), region))).toEqual([
      "configurations/region: must be the stack's region, ap-northeast-1; correct or remove it.",
    ]);
  });
});

test.each<[string, unknown, readonly string[]]>([
  ['a list', [], [': must be an object, or its JSON text.']],
  [
    'invalid JSON',
    '{"min":5,}',
    [
      ': is not valid JSON: line 1, column 10: expected a member name in double quotes; a comma after the last member is not allowed.',
    ],
  ],
  [
    'an empty object',
    {},
    [
      '/architecture: is required. One server, or a group behind a load balancer. Write one of art_single, art_elb.',
      '/type: is required. Server type.',
    ],
  ],
  [
    'an unknown architecture',
    { ...single, architecture: 'art_many' },
    ['/architecture: must be one of art_single, art_elb.'],
  ],
  [
    'unknown members',
    { ...single, dockerHubPasword: 'x', Min: 1 },
    [
      '/dockerHubPasword: unknown member; did you mean "dockerHubPassword"?',
      '/Min: unknown member; did you mean "min"?',
    ],
  ],
  [
    'invalid numbers',
    { ...balanced, min: 'two', max: 1.5, spotRange: '101' },
    [
      '/min: must be an integer from 0 to 1000.',
      '/max: must be an integer from 0 to 1000.',
      '/spotRange: must be an integer from 0 to 100.',
    ],
  ],
  ['min above max', { ...balanced, min: 3, max: '2' }, ['/min: must not exceed max (2).']],
  [
    'a password without user',
    { ...single, dockerHubPassword: 'x' },
    ['/dockerHubUsername: is required with a registry password.'],
  ],
  [
    'invalid databases',
    {
      ...single,
      database: [
        { Engine: 'db_oracle', DBtype: 'x', DBStorage: 4, ReadReplica1: 'yes' },
        { DBStorage: 6145 },
        7,
      ],
    },
    [
      '/database/0/Engine: must be one of db_mysql, db_postgresql.',
      '/database/0/DBStorage: must be an integer from 5 to 6144.',
      '/database/0/ReadReplica1: must be true or false.',
      '/database/1/Engine: is required. Database engine. Write one of db_mysql, db_postgresql.',
      '/database/1/DBtype: is required. Database class.',
      '/database/1/DBStorage: must be an integer from 5 to 6144.',
      '/database/2: must be an object with members such as Engine, DBtype, DBStorage, ReadReplica1, ReadReplica2, ReadReplica3, ReadReplica4, ReadReplica5, DeletionProtection.',
    ],
  ],
  [
    'a member in two spellings',
    { ...single, database: [{ ...database, DBType: 'x' }] },
    ['/database/0/DBtype: is set twice, in two spellings; keep one.'],
  ],
  [
    'too many nodes',
    {
      ...single,
      elasticache: [
        { ...cache, ElastiCacheNodes: 7 },
        { ...cache, ElastiCacheEngine: 'Memcached', ElastiCacheNodes: 20 },
        { ...cache, ElastiCacheEngine: 'Memcached', ElastiCacheNodes: 21 },
      ],
    },
    [
      '/elasticache/2/ElastiCacheNodes: must be an integer from 1 to 20.',
      '/elasticache/0/ElastiCacheNodes: must be an integer from 1 to 6 for Redis.',
    ],
  ],
  [
    'everything at once',
    { type: 'x', min: 5, max: 2, spotRange: -1, database: {}, imge: 'x' },
    [
      '/imge: unknown member; did you mean "image"?',
      '/spotRange: must be an integer from 0 to 100.',
      '/database: must be a list.',
      '/architecture: is required. One server, or a group behind a load balancer. Write one of art_single, art_elb.',
    ],
  ],
])('invalid configurations are rejected with all problems: %s', (_what, configurations, problems) => {
  expect(problemsOfNew(configurations)).toEqual(problems.map((problem) => `configurations${problem}`));
});
