import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';
import { cache, compiled, database } from '../../vendors/docker/documents.ts';
import { sampleModel } from '../../vendors/sample-model.ts';
import { databasePassword, VendorWorld } from '../world/vendor-world.ts';

/** Every stack has another password for its databases. */
const newPassword = new Secret("another 'pass' word");
const before = new VendorWorld();
const after = new VendorWorld({ password: newPassword });
const old = before.newStack();
const fresh = after.newStack();
const model = sampleModel({
  layers: [],
  databases: [
    database({ name: 'main', engine: 'postgresql', replicas: 1 }),
    database({ name: 'shop', engine: 'mysql', replicas: 1 }),
  ],
  caches: [cache({ nodes: 1 })],
});

interface Place {
  world: VendorWorld;
  stack: StackOnVendor;
  password: Secret;
}
const there: Place = { world: before, stack: old, password: databasePassword };
const here: Place = { world: after, stack: fresh, password: newPassword };

async function run({ world, stack }: Place, part: string, ...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await world.exec(stack, part, ...argv);
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}${stdout}`);
  return stdout.trim();
}
const psql = (place: Place, statement: string, part = 'database-main') => {
  const client = ['psql', '-h', '127.0.0.1', '-U', 'app', '-d', 'app', '-Atc', statement];
  return run(place, part, 'env', `PGPASSWORD=${place.password.reveal()}`, ...client);
};
const mysql = (place: Place, statement: string, part = 'database-shop') => {
  const client = ['mariadb', '--no-defaults', '-h', '127.0.0.1', '-u', 'app', '-N', '-e', statement, 'app'];
  return run(place, part, 'env', `MYSQL_PWD=${place.password.reveal()}`, ...client);
};
const redis = (place: Place, ...argv: string[]) => run(place, 'cache-sessions', 'redis-cli', ...argv);

const volumeOf = (volume: string) => `alm-${old.id}-${volume}`;
const references = new Map([
  ['database-main', volumeOf('database-main-postgresql')],
  ['database-shop', volumeOf('database-shop-mysql')],
  ['cache-sessions', volumeOf('cache-sessions-redis')],
]);

afterAll(async () => {
  await after.clear();
  await before.clear();
});

describe('a stack that restores the data of a deleted one', () => {
  beforeAll(async () => {
    await before.make(old, model);
    await psql(there, "CREATE TABLE note (text text); INSERT INTO note VALUES ('from postgres')");
    await mysql(there, "CREATE TABLE note (text text); INSERT INTO note VALUES ('from mariadb')");
    await redis(there, 'set', 'note', 'from redis');
    await before.removeCompletely(old, 'keep');
    const document = after.vendor.restore?.(compiled(model), references) ?? {};
    await after.applyDocument(fresh, { document, version: 'v1' });
    await after.settle(fresh);
  });

  it('has it, with its own passwords', async () => {
    expect(await psql(here, 'SELECT text FROM note')).toBe('from postgres');
    expect(await mysql(here, 'SELECT text FROM note')).toBe('from mariadb');
    expect(await redis(here, 'get', 'note')).toBe('from redis');
  });

  it('has it in the replicas too', async () => {
    await expect.poll(() => psql(here, 'SELECT text FROM note', 'database-main-1')).toBe('from postgres');
    await expect.poll(() => mysql(here, 'SELECT text FROM note', 'database-shop-1')).toBe('from mariadb');
  });

  it('has a copy: what was kept stays kept', async () => {
    const kept = (await before.keptOf(old)).map(({ volume }) => volume);
    expect(kept.toSorted()).toEqual([...references.values()].toSorted());
  });

  it('keeps its own changes when a later version does not restore, and when a database is restarted', async () => {
    await psql(here, "UPDATE note SET text = 'newer'");
    await after.make(fresh, { ...model, caches: [] }, 'v2');
    const [found] = await after.containersOf(fresh, { 'almanac.part': 'database-main' });
    await after.engine.containers.stop(found?.id ?? '', 10);
    await after.settle(fresh);
    await expect.poll(() => psql(here, 'SELECT text FROM note').catch(() => '')).toBe('newer');
  });
});
