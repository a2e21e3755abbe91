import { describe, expect, it } from 'vitest';
import type { Cache, Database, Layer, StackModel } from '../../../src/model/stack-model.ts';
import { replacementProblems } from '../../../src/vendors/alicloud/choose/replacements.ts';
import { sampleDatabase, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';
import { problemsOf, standing } from './choose-world.ts';
import { withResource } from './compile-world.ts';

const redis = (changes: Partial<Cache> = {}): Cache => ({
  name: 'sessions',
  engine: 'redis',
  nodeType: 'redis.shard.small.2.ce',
  nodes: 2,
  ...changes,
});
const data = (database: Partial<Database>, cache: Partial<Cache> = {}): StackModel =>
  sampleModel({ databases: [sampleDatabase(database)], caches: [redis(cache)] });
const layer = (changes: Partial<Layer>): StackModel => sampleModel({ layers: [sampleLayer(changes)] });
const balanced = (scheme: 'internal' | 'internet-facing'): StackModel => {
  const group = sampleGroup(1, 0);
  return sampleModel({ layers: [{ ...group, loadBalancer: { ...group.loadBalancer!, scheme } }] });
};
const subnet = { cidr: '10.0.0.0/24', public: true, assignPublicIp: true };

const pathsOf = async (before: StackModel, after: StackModel): Promise<string[]> =>
  (await problemsOf(after, {}, { before: await standing(before) })).map(({ path }) => path);

describe('a change that would replace something that must not be lost is refused where the model names it:', () => {
  it.each([
    ['the engine of a database', data({}), data({ engine: 'postgresql' }), 'databases/0/engine'],
    [
      'its version',
      data({ engineVersion: '5.7' }),
      data({ engineVersion: '8.0' }),
      'databases/0/engineVersion',
    ],
    ['its standby', data({}), data({ multiZone: true }), 'databases/0/multiZone'],
    ['a second node of a cache', data({}, { nodes: 1 }), data({}, { nodes: 2 }), 'caches/0/nodes'],
    ['a read replica of a cache', data({}, { nodes: 3 }), data({}, { nodes: 4 }), 'caches/0/nodes'],
    [
      'the class of Memcached',
      data({}, { engine: 'memcached', nodeType: 'memcache.master.small.default' }),
      data({}, { engine: 'memcached', nodeType: 'memcache.master.mid.default' }),
      'caches/0/nodeType',
    ],
    [
      'the block of a subnet',
      layer({}),
      layer({ subnet: { ...subnet, cidr: '10.0.9.0/24' } }),
      'layers/0/subnet/cidr',
    ],
    ['its zone', layer({ zone: 'ap-northeast-1a' }), layer({ zone: 'ap-northeast-1b' }), 'layers/0/zone'],
    ['the network', sampleModel(), sampleModel({ networkCidr: '10.0.0.0/15' }), 'networkCidr'],
    [
      'the side of a load balancer',
      balanced('internet-facing'),
      balanced('internal'),
      'layers/0/loadBalancer/scheme',
    ],
  ])('%s', async (_, before, after, path) => {
    expect(await pathsOf(before, after)).toContain(path);
  });

  it('the message says what would happen, and what to do instead', async () => {
    const [problem] = await problemsOf(
      data({ engine: 'postgresql' }),
      {},
      { before: await standing(data({})) },
    );
    expect(problem?.message).toBe(
      'Alibaba Cloud would delete the database and make an empty one. Keep this value, or name a new one instead.',
    );
  });
});

it('a database that becomes a thing of a type that may be replaced is refused', async () => {
  const model = data({});
  const before = await standing(model);
  const listener = { Type: 'ALIYUN::SLB::Listener', Properties: { Engine: 'other' } } as const;
  const after = withResource(before, 'Databaseapp', listener);
  expect(replacementProblems(model, before, after)).toContainEqual(
    expect.objectContaining({ path: 'databases/0/engine' }),
  );
});

describe('a change is accepted', () => {
  it.each([
    [
      'of class and storage of a database',
      data({}),
      data({ instanceType: 'mysql.x4.large.2c', storageGib: 100 }),
    ],
    ['that protects a database', data({}), data({ deletionProtection: true })],
    ['that ends its protection', data({ deletionProtection: true }), data({})],
    ['of the number of its replicas', data({}), data({ replicas: 2 })],
    ['of the class of a Redis cache', data({}), data({}, { nodeType: 'redis.shard.mid.2.ce' })],
    ['of the name of a database', data({}), data({ name: 'other', engine: 'postgresql' })],
    ['of the public address of servers', layer({}), layer({ subnet: { ...subnet, assignPublicIp: false } })],
    ['of the type of servers', layer({}), layer({ instanceType: 'ecs.g7.large' })],
  ])('%s', async (_, before, after) => {
    expect(await pathsOf(before, after)).toEqual([]);
  });
});
