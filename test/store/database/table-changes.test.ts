import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { openPostgres } from '../../../src/store/database/postgres.ts';
import { Remembered } from '../../../src/store/database/remembered.ts';
import { countedTables } from '../../../src/store/migrations/from-0028/0033_table_changes.ts';
import { makeTestPlace, onPostgres, type TestPlace } from '../../open-database.ts';

const accountOf = (id: string, name: string) => ({ id, name, created_at: 1 });

/** Names of accounts, which the first of two servers keeps. */
const names = (database: Database) => {
  const remembered = new Remembered<string | undefined>(['accounts'], { max: 10 });
  let reads = 0;
  const read = (id = 'a'): Promise<string | undefined> =>
    remembered.read(database, id, async () => {
      reads += 1;
      const found = database.query.selectFrom('accounts').select('name').where('id', '=', id);
      return (await found.executeTakeFirst())?.name;
    });
  return { read, reads: () => reads };
};

describe.runIf(onPostgres)('what a server read of a table on PostgreSQL', () => {
  let place: TestPlace;
  let database: Database;
  let other: Database;
  beforeEach(async () => {
    place = await makeTestPlace();
    database = await openPostgres(place.url);
    other = await openPostgres(place.url);
    await database.query.insertInto('accounts').values(accountOf('a', 'red')).execute();
  });
  afterEach(async () => {
    await database.close();
    await other.close();
    await place.remove();
  });
  const rename = (query: Database['query'], name: string) =>
    query.updateTable('accounts').set({ name }).where('id', '=', 'a').execute();

  it('is not read again while the table does not change, and not after statements that met no row', async () => {
    const { read, reads } = names(database);
    expect([await read(), await read()]).toEqual(['red', 'red']);
    await other.query.updateTable('accounts').set({ name: 'x' }).where('id', '=', 'none').execute();
    await other.query.deleteFrom('accounts').where('id', '=', 'none').execute();
    await read();
    expect(reads()).toBe(1);
  });

  it('is read again at once after any change, also one by another server', async () => {
    const { read } = names(database);
    for (const name of ['blue', 'green', 'yellow', 'white']) {
      await rename(name.length % 2 ? database.query : other.query, name);
      expect(await read()).toBe(name);
    }
    await other.query.deleteFrom('accounts').execute();
    expect(await read()).toBe(undefined);
  });

  it('is read again when a transaction of another server ends, and not before, however many changed it in that time', async () => {
    const { read } = names(database);
    await other.transaction(async (transaction) => {
      await rename(transaction, 'blue');
      await other.query.insertInto('accounts').values(accountOf('b', 'second')).execute();
      expect([await read(), await read('b')]).toEqual(['red', 'second']);
    });
    expect(await read()).toBe('blue');
  });

  it('is read again after rows were deleted with those they belong to', async () => {
    await sql`insert into users (id, account_id, username, email, password_hash, master, created_at)
      values ('u', 'a', 'ann', '', '', 0, 1)`.execute(database.query);
    await sql`insert into personal_tokens (hash, id, account_id, user_id, name, role_ids, created_at, expires_at)
      values ('h', 't', 'a', 'u', 'mine', '[]', 1, 2)`.execute(database.query);
    const tokens = new Remembered<string | undefined>(['personal_tokens'], { max: 10 });
    const read = () =>
      tokens.read(database, 'h', async () => {
        const found = database.query.selectFrom('personal_tokens').select('name').where('hash', '=', 'h');
        return (await found.executeTakeFirst())?.name;
      });
    expect(await read()).toBe('mine');
    await other.query.deleteFrom('users').where('id', '=', 'u').execute();
    expect(await read()).toBe(undefined);
  });

  it('is known to have changed for every table whose rows may be kept', async () => {
    const triggers = sql<{
      name: string;
      count: number;
    }>`select tgrelid::regclass::text as name, count(*)::integer as count
      from pg_trigger where tgname like '%_counted' group by 1 order by 1`;
    const counted = countedTables.map((name) => ({ name, count: 3 }));
    expect((await triggers.execute(database.query)).rows).toEqual(counted);
  });

  it('is asked about once for all who ask at the same time', async () => {
    const { read } = names(database);
    await read();
    const before = await statementsAbout(database);
    await Promise.all(Array.from({ length: 50 }, () => read()));
    expect((await statementsAbout(database)) - before).toBeLessThanOrEqual(2);
  });

  it('is still recognized after the counts of connections that ended were added up', async () => {
    const { read, reads } = names(database);
    const ended = sql`insert into table_changes select pid, 'accounts', 1 from generate_series(9000001, 9000900) as pid`;
    await ended.execute(database.query);
    await read();
    await expect.poll(() => rowsOfCounts(database)).toBeLessThan(400);
    await read();
    expect(reads()).toBe(1);
    await rename(other.query, 'blue');
    expect(await read()).toBe('blue');
  });
});

async function statementsAbout({ query }: Database): Promise<number> {
  await sql`create extension if not exists pg_stat_statements`.execute(query);
  const counted = sql<{
    calls: number;
  }>`select coalesce(sum(calls), 0)::integer as calls from pg_stat_statements
    where query like '%from table_changes group by%' and query not like '%pg_stat_statements%'
      and dbid = (select oid from pg_database where datname = current_database())`;
  return (await counted.execute(query)).rows[0]?.calls ?? 0;
}

async function rowsOfCounts({ query }: Database): Promise<number> {
  const counted = sql<{ rows: number }>`select count(*)::integer as rows from table_changes`;
  return (await counted.execute(query)).rows[0]?.rows ?? 0;
}
