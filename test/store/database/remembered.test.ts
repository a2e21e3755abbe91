import { join } from 'node:path';
import { sql } from 'kysely';
import Connection from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import { writeMeta } from '../../../src/store/database/meta.ts';
import { Remembered } from '../../../src/store/database/remembered.ts';
import { attachSqlite, openSqlite } from '../../../src/store/database/sqlite.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';

let place: TestPlace;
let database: Database;
let file: string;

beforeEach(async () => {
  place = await makeTestPlace();
  file = join(place.directory, 'remembered.db');
  database = await openSqlite(file);
  await writeMeta(database.query, 'color', 'red');
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

const colors = () => {
  const remembered = new Remembered<string | undefined>(['meta' as never], { max: 2 });
  let reads = 0;
  const read = (key = 'color'): Promise<string | undefined> =>
    remembered.read(database, key, async () => {
      reads += 1;
      const row = await database.query
        .selectFrom('meta')
        .select('value')
        .where('key', '=', key)
        .executeTakeFirst();
      return row?.value;
    });
  return { read, reads: () => reads };
};

describe('what was read of a table (on SQLite)', () => {
  it('is not read again while the table does not change', async () => {
    const { read, reads } = colors();
    expect([await read(), await read()]).toEqual(['red', 'red']);
    await database.query.updateTable('stacks').set({ nickname: 'other' }).execute();
    expect(reads()).toBe(1);
  });

  it('is read again after a change', async () => {
    const { read } = colors();
    await read();
    await writeMeta(database.query, 'color', 'blue');
    expect(await read()).toBe('blue');
  });

  it('is read again after a transaction with a change, and a transaction in progress shows nothing', async () => {
    const { read } = colors();
    await read();
    await database.transaction(async (transaction) => {
      await writeMeta(transaction, 'color', 'green');
      expect(await read()).toBe('red');
    });
    expect(await read()).toBe('green');
  });

  it('stays as it was when a change is rolled back, and a later change without a transaction counts', async () => {
    const { read } = colors();
    await read();
    const failed = database.transaction(async (transaction) => {
      await writeMeta(transaction, 'color', 'green');
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await read()).toBe('red');
    await writeMeta(database.query, 'color', 'blue');
    expect(await read()).toBe('blue');
  });

  it('is read again after a deletion in any table, which may take rows of other tables with it', async () => {
    await database.query.insertInto('accounts').values({ id: 'a', name: '', created_at: 1 }).execute();
    const { read, reads } = colors();
    await read();
    await database.query.deleteFrom('accounts').where('id', '=', 'a').execute();
    await read();
    expect(reads()).toBe(2);
  });

  it('is not read again after statements that met no row', async () => {
    const { read, reads } = colors();
    await read();
    await database.query.deleteFrom('accounts').where('id', '=', 'none').execute();
    await database.query.updateTable('meta').set({ value: 'blue' }).where('key', '=', 'none').execute();
    const none = database.query.updateTable('meta').set({ value: 'blue' }).where('key', '=', 'none');
    await none.returning('key').execute();
    await read();
    expect(reads()).toBe(1);
  });

  it('is read again after a change by another process', async () => {
    const { read } = colors();
    await read();
    const other = await attachSqlite(file);
    await writeMeta(other.query, 'color', 'yellow');
    expect(await read()).toBe('yellow');
    await other.close();
  });

  it('is read again in the next event after another process changed it, however soon that event comes', async () => {
    const { read } = colors();
    const other = new Connection(file);
    for (const color of ['blue', 'green', 'yellow']) {
      await read();
      other.prepare('update meta set value = ? where key = ?').run(color, 'color');
      await new Promise(setImmediate);
      expect(await read()).toBe(color);
    }
    other.close();
  });

  it('is read again after a change by another process during a snapshot, in which it was not seen', async () => {
    const { read } = colors();
    const other = new Connection(file);
    await database.snapshot(async (query) => {
      await query.selectFrom('meta').selectAll().execute();
      other.prepare('update meta set value = ? where key = ?').run('blue', 'color');
      database.stamp(['meta']);
    });
    await new Promise(setImmediate);
    expect(await read()).toBe('blue');
    other.close();
  });

  it('is not kept if it was not found, or if newer ones fill the place', async () => {
    const { read, reads } = colors();
    await read('none');
    await read('none');
    expect(reads()).toBe(2);
    for (const key of ['a', 'b']) await writeMeta(database.query, key, key);
    for (const key of ['color', 'a', 'b', 'color']) await read(key);
    expect(reads()).toBe(6);
  });

  it('is read again after a change that follows a transaction which could not begin', async () => {
    const { read } = colors();
    await read();
    const other = new Connection(file);
    other.exec('begin immediate');
    await sql.raw('pragma busy_timeout = 1').execute(database.query);
    await expect(database.transaction(() => writeMeta(database.query, 'color', 'blue'))).rejects.toThrow(
      /locked/,
    );
    other.exec('rollback');
    other.close();
    await writeMeta(database.query, 'color', 'green');
    expect(await read()).toBe('green');
  });

  it('is kept only up to its size', async () => {
    const remembered = new Remembered<string>(['meta' as never], {
      max: 9,
      maxSize: 5,
      sizeOf: ({ length }) => length,
    });
    let reads = 0;
    const read = (text: string) =>
      remembered.read(database, text, async () => {
        reads += 1;
        return text;
      });
    for (const text of ['abc', 'abc', 'too long', 'too long', 'abc']) await read(text);
    expect(reads).toBe(3);
    for (const text of ['def', 'abc']) await read(text);
    expect(reads).toBe(5);
  });
});
