import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cache, Database } from '../../src/model/stack-model.ts';
import type { StackView } from '../../src/vendors/vendor.ts';
import { eventually } from '../http.ts';
import { cache, database } from '../vendors/docker/documents.ts';
import { sampleModel } from '../vendors/sample-model.ts';
import { databasePassword, outputIn, VendorWorld } from './world/vendor-world.ts';

const world = new VendorWorld();
const stack = world.newStack();
let view: StackView;

const model = (databases: Database[], caches: Cache[]) => sampleModel({ layers: [], databases, caches });
const postgres = database({ name: 'main', engine: 'postgresql', replicas: 1 });
const maria = database({ name: 'shop', engine: 'mysql', replicas: 1 });
const caches = [cache({ nodes: 2 }), cache({ name: 'pages', engine: 'memcached', nodes: 1 })];

const run = async (part: string, ...argv: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await world.exec(stack, part, ...argv);
  return exitCode === 0 ? stdout.trim() : `failed: ${stderr}${stdout}`;
};
/** Connects from another container, by name and with the password, as an application does. */
const psql = (host: string, statement: string) =>
  run(
    'cache-sessions',
    'env',
    `PGPASSWORD=${databasePassword.reveal()}`,
    'psql',
    '-h',
    host,
    '-U',
    'app',
    '-d',
    'app',
    '-Atc',
    statement,
  );
const mysql = (host: string, statement: string) =>
  run(
    'cache-sessions',
    'env',
    `MYSQL_PWD=${databasePassword.reveal()}`,
    'mariadb',
    '--no-defaults',
    '-h',
    host,
    '-u',
    'app',
    '-N',
    '-e',
    statement,
    'app',
  );
const seenAt = (query: () => Promise<string>, expected: string) =>
  eventually(query, (found) => found === expected);

beforeAll(async () => {
  view = await world.make(stack, model([postgres, maria], caches));
});
afterAll(() => world.clear());

describe('databases of a docker stack', () => {
  it('are listed with their roles, and have DNS names in the outputs', () => {
    expect(view.databases).toMatchObject([
      { role: 'primary', engine: 'postgresql', state: 'available', address: 'database-main', port: 5432 },
      { role: 'replica', engine: 'postgresql', state: 'available', address: 'database-main-1' },
      { role: 'primary', engine: 'mysql', state: 'available', address: 'database-shop', port: 3306 },
      { role: 'replica', engine: 'mysql', state: 'available', address: 'database-shop-1' },
    ]);
    expect(outputIn(view, 'DBAddress')).toBe('database-main');
    expect(outputIn(view, 'DBSlave1Address')).toBe('database-main-1');
    expect(outputIn(view, 'DBPortshop')).toBe('3306');
  });

  it('replicate writes to their replicas, which reject writes', async () => {
    await psql('database-main', 'CREATE TABLE note (text text)');
    await psql('database-main', "INSERT INTO note VALUES ('kept')");
    await mysql('database-shop', "CREATE TABLE note (text text); INSERT INTO note VALUES ('kept')");
    await seenAt(() => psql('database-main-1', 'SELECT text FROM note'), 'kept');
    await seenAt(() => mysql('database-shop-1', 'SELECT text FROM note'), 'kept');
    expect(await psql('database-main-1', "INSERT INTO note VALUES ('no')")).toContain('read-only');
    expect(await mysql('database-shop-1', "INSERT INTO note VALUES ('no')")).toContain('read-only');
  });

  it('keep their data in a new container, and continue to replicate', async () => {
    const before = view.databases.map(({ id }) => id);
    view = await world.make(stack, model([{ ...postgres, instanceType: 'db.large' }, maria], caches), 'v2');
    const after = view.databases.map(({ id }) => id);
    expect(after.slice(0, 2).filter((id) => before.includes(id))).toEqual([]);
    expect(after.slice(2)).toEqual(before.slice(2));
    expect(await psql('database-main', 'SELECT text FROM note')).toBe('kept');
    await psql('database-main', "UPDATE note SET text = 'changed'");
    await seenAt(() => psql('database-main-1', 'SELECT text FROM note'), 'changed');
  });

  it('are restarted after a kill', async () => {
    const [primary] = view.databases;
    await world.engine.containers.kill(primary?.id ?? '', 'SIGKILL');
    view = await world.settle(stack);
    expect(view.databases[0]?.id).toBe(primary?.id);
    await seenAt(() => psql('database-main', 'SELECT text FROM note'), 'changed');
  });
});

it('a primary drops the replication slot of a removed replica', async () => {
  const changed = { ...postgres, instanceType: 'db.large' };
  const slots = () => psql('database-main', 'SELECT count(*) FROM pg_replication_slots');
  expect(await slots()).toBe('1');
  view = await world.make(stack, model([{ ...changed, replicas: 0 }, maria], caches), 'v2 without');
  expect(await slots()).toBe('0');
  // The databases of two engines, the replica of one, and Redis.
  expect((await world.count(stack)).volumes).toBe(4);
});

describe('caches of a docker stack', () => {
  const redis = (part: string, ...argv: string[]) => run(part, 'redis-cli', ...argv);

  it('are listed with their roles', () => {
    expect(view.caches).toMatchObject([
      { role: 'primary', engine: 'redis', state: 'available', address: 'cache-sessions', port: 6379 },
      { role: 'replica', engine: 'redis', address: 'cache-sessions-1' },
      { role: 'primary', engine: 'memcached', address: 'cache-pages', port: 11211 },
    ]);
    expect(outputIn(view, 'RedisReadEndPointAddresses')).toBe('cache-sessions-1');
    expect(outputIn(view, 'MemcachedEndPointAddress')).toBe('cache-pages');
  });

  it('replicate with Redis', async () => {
    expect(await redis('cache-sessions', 'set', 'who', 'me')).toBe('OK');
    await seenAt(() => redis('cache-sessions-1', 'get', 'who'), 'me');
  });

  it('respond with Memcached', async () => {
    const script = 'exec 3<>/dev/tcp/cache-pages/11211; printf "version\\r\\nquit\\r\\n" >&3; cat <&3';
    expect(await run('cache-sessions', 'bash', '-c', script)).toMatch(/^VERSION /);
  });
});

it('surplus services are removed, their volumes are kept, and nothing else is touched', async () => {
  const other = view.databases[1]?.id;
  view = await world.make(stack, model([maria], []), 'v3');
  expect(view.databases.map(({ id }) => id)).toContain(other);
  const kept = (await world.keptOf(stack)).map(({ flag, engine }) => `${flag} ${engine}`);
  expect(kept.toSorted()).toEqual(['main postgresql', 'sessions redis']);
  // The stack's record, two databases, and the records of two kept volumes.
  expect(await world.count(stack)).toEqual({ containers: 5, networks: 1, volumes: 4 });
  await world.removeCompletely(stack, 'delete');
  expect(await world.count(stack)).toEqual({ containers: 2, networks: 0, volumes: 2 });
});
