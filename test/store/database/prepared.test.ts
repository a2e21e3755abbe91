import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import type { Query } from '../../../src/store/database/database.ts';
import { onPostgres } from '../../open-database.ts';
import { usePostgres } from './use-postgres.ts';

const read = (query: Query) => query.selectFrom('accounts').selectAll().execute();

const namedStatements = async (query: Query): Promise<string[]> => {
  const listed = sql<{ statement: string }>`select statement from pg_prepared_statements`;
  return (await listed.execute(query)).rows.map(({ statement }) => statement);
};

describe.runIf(onPostgres)('a statement on PostgreSQL', () => {
  const used = usePostgres();
  const changeTable = async () => {
    const other = new pg.Client(used.place.url);
    await other.connect();
    await other.query('alter table accounts add column later text');
    await other.end();
  };

  it('that comes again and again is planned once, and others are not kept', async () => {
    for (let time = 0; time < 5; time += 1) await read(used.database.query);
    await used.database.query.selectFrom('users').select('id').execute();
    const named = await namedStatements(used.database.query);
    expect(named.filter((text) => text.includes('"accounts"'))).toEqual(['select * from "accounts"']);
    expect(named.filter((text) => text.includes('"users"'))).toEqual([]);
  });

  it('still works after another server has changed the table', async () => {
    for (let time = 0; time < 5; time += 1) await read(used.database.query);
    await changeTable();
    expect(await read(used.database.query)).toEqual([]);
  });

  it('in a transaction fails once as unavailable after another server has changed the table, and then works', async () => {
    for (let time = 0; time < 5; time += 1) await read(used.database.query);
    await changeTable();
    const failed = await used.database.transaction(read).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Failure);
    expect((failed as Failure).kind).toBe('unavailable');
    expect(await used.database.transaction(read)).toEqual([]);
  });
});
