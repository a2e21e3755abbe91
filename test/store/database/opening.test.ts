import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMeta, setMetaOnce } from '../../../src/store/database/meta.ts';
import { schemaVersion } from '../../../src/store/database/migrate.ts';
import { attachDatabase, openDatabase } from '../../../src/store/database/open-database.ts';
import { makeEmptyPlace, onPostgres, type TestPlace } from '../../open-database.ts';

let place: TestPlace;
beforeEach(async () => {
  place = await makeEmptyPlace();
});
afterEach(() => place.remove());

describe('opening a database', () => {
  it('keeps existing data', async () => {
    const first = await openDatabase(place.url);
    await setMetaOnce(first.query, 'kept', 'yes');
    await first.close();
    const second = await openDatabase(place.url);
    expect(await readMeta(second.query, 'kept')).toBe('yes');
    await second.close();
  });

  it('rejects a newer schema and names both versions', async () => {
    const database = await openDatabase(place.url);
    const row = { name: '9999_future', timestamp: '2040-01-01T00:00:00Z' };
    await database.query
      .insertInto('kysely_migration' as never)
      .values(row)
      .execute();
    await database.close();
    await expect(openDatabase(place.url)).rejects.toThrow(new RegExp(`9999_future.*${schemaVersion}`));
  });

  it('next to a server creates a missing schema and never changes an existing one', async () => {
    await (await attachDatabase(place.url)).close();
    const attached = await attachDatabase(place.url);
    const row = { name: '9999_future', timestamp: '2040-01-01T00:00:00Z' };
    await attached.query
      .insertInto('kysely_migration' as never)
      .values(row)
      .execute();
    await attached.close();
    await expect(attachDatabase(place.url)).rejects.toThrow(/Use the same version as the server/);
  });

  it.runIf(!onPostgres)('creates files that only their owner can read', async () => {
    const database = await openDatabase(`sqlite:${join(place.directory, 'deep', 'almanac.db')}`);
    const mode = (name: string) => (statSync(join(place.directory, 'deep', name)).mode & 0o777).toString(8);
    expect([mode('.'), mode('almanac.db'), mode('almanac.db-wal')]).toEqual(['700', '600', '600']);
    await database.close();
  });

  it('rejects an unknown kind of database', async () => {
    await expect(openDatabase('mysql://root:secret@localhost/x')).rejects.toThrow(
      /^DATABASE_URL must start with postgres:\/\/ or sqlite:, not mysql:$/,
    );
  });

  it.runIf(onPostgres)('migrates once when several servers start at once', async () => {
    const servers = await Promise.all(Array.from({ length: 6 }, () => openDatabase(place.url)));
    const rows = await servers[0]?.query
      .selectFrom('kysely_migration' as never)
      .selectAll()
      .execute();
    const names = (rows as { name: string }[] | undefined)?.map((row) => row.name) ?? [];
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain(schemaVersion);
    await Promise.all(servers.map((server) => server.close()));
  });

  it.runIf(onPostgres)('carries a notification from one server to another', async () => {
    const [one, two] = await Promise.all([openDatabase(place.url), openDatabase(place.url)]);
    const received = new Promise((resolve) => one.listen('stack-due', resolve));
    await two.notify('stack-due', 'mo-1');
    expect(await received).toBe('mo-1');
    await Promise.all([one.close(), two.close()]);
  });

  it.runIf(onPostgres)(
    'carries every notification of many at once, and one that is too long harms no other',
    async () => {
      const database = await openDatabase(place.url);
      const names = Array.from({ length: 50 }, (_, number) => `mo-${number}`);
      const heard = new Set<string>();
      const all = new Promise<void>((resolve) => {
        database.listen('stack-due', (name) => void (heard.add(name).size === names.length && resolve()));
      });
      const sent = names.map((name) => database.notify('stack-due', name));
      await expect(database.notify('stack-due', 'x'.repeat(8000))).rejects.toThrow('longer than 7999 bytes');
      await Promise.all([...sent, all]);
      expect([...heard].toSorted()).toEqual(names.toSorted());
      await database.close();
    },
  );

  it('a notification after the database was closed is lost without an error', async () => {
    const database = await openDatabase(place.url);
    await database.close();
    await expect(database.notify('stack-due', 'mo-1')).resolves.toBeUndefined();
  });

  it.runIf(!onPostgres)(
    'refuses a second server on the same file, and lets it in when the first is gone',
    async () => {
      const first = await openDatabase(place.url);
      await expect(openDatabase(place.url)).rejects.toThrow(
        /Another Almanac server is using .*almanac\.db\. Stop it first/,
      );
      await first.close();
      await (await openDatabase(place.url)).close();
    },
  );
});
