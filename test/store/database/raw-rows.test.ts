import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../src/store/database/sqlite.ts';
import { makeTestPlace } from '../../open-database.ts';

it('the same text reads the columns that the table has now, also after a change of the schema (on SQLite)', async () => {
  const place = await makeTestPlace();
  const database = await openSqlite(join(place.directory, 'rows.db'));
  const { query } = database;
  const read = async () => (await sql`select * from things`.execute(query)).rows;
  await sql`create table things (id integer, name text)`.execute(query);
  await sql`insert into things values (1, null)`.execute(query);
  expect(await read()).toEqual([{ id: 1, name: null }]);
  await sql`alter table things rename column name to label`.execute(query);
  await sql`alter table things add column size integer default 5`.execute(query);
  expect(await read()).toEqual([{ id: 1, label: null, size: 5 }]);
  await database.close();
  await place.remove();
});
