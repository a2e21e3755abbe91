import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, Query } from '../../../src/store/database/database.ts';
import { readMeta, writeMeta } from '../../../src/store/database/meta.ts';
import { openSqlite } from '../../../src/store/database/sqlite.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';

let place: TestPlace;
let database: Database;

beforeEach(async () => {
  place = await makeTestPlace();
  database = await openSqlite(join(place.directory, 'group.db'));
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

const write = (name: string) => (query: Query) => writeMeta(query, name, 'written');
const isWritten = async (name: string): Promise<boolean> =>
  (await readMeta(database.query, name)) === 'written';

const failing = (name: string) => async (query: Query) => {
  await writeMeta(query, name, 'written');
  throw new Error(`${name} fails`);
};

const outcomes = async (works: readonly ((query: Query) => Promise<void>)[]): Promise<string[]> => {
  const results = await Promise.allSettled(works.map((work) => database.transaction(work)));
  return results.map((result) => (result.status === 'fulfilled' ? 'done' : String(result.reason.message)));
};

describe('transactions that wait at the same time (on SQLite)', () => {
  it('all write, in the order of their calls, and each sees what those before it wrote', async () => {
    const append = (text: string) => async (query: Query) =>
      writeMeta(query, 'log', `${(await readMeta(query, 'log')) ?? ''}${text}`);
    const letters = Array.from({ length: 260 }, (_, number) => `${number} `);
    await Promise.all(letters.map((letter) => database.transaction(append(letter))));
    expect(await readMeta(database.query, 'log')).toBe(letters.join(''));
  });

  it('give each caller its own result', async () => {
    const results = await Promise.all([1, 2, 3].map((number) => database.transaction(async () => number)));
    expect(results).toEqual([1, 2, 3]);
  });

  it('fail alone: only what the failing one wrote is undone, wherever it is in the group', async () => {
    for (const [index, position] of ['first', 'second', 'last'].entries()) {
      const names = [0, 1, 2].map((number) => `${position} ${number}`);
      const works = names.map((name, number) => (number === index ? failing(name) : write(name)));
      const expected = names.map((name, number) => (number === index ? `${name} fails` : 'done'));
      expect(await outcomes(works)).toEqual(expected);
      expect(await Promise.all(names.map(isWritten))).toEqual(names.map((_, number) => number !== index));
    }
  });

  it('all fail if the database has rolled back everything, and none of them is written', async () => {
    const lost = async (query: Query) => {
      // As SQLite does by itself when the disk is full.
      await sql.raw('rollback').execute(query);
      throw new Error('the disk is full');
    };
    expect(await outcomes([write('a'), lost, write('b')])).toEqual([
      'the disk is full',
      'the disk is full',
      'done',
    ]);
    expect([await isWritten('a'), await isWritten('b')]).toEqual([false, true]);
  });

  it('go on after a failure of the whole group', async () => {
    await outcomes([failing('a')]);
    expect(await outcomes([write('b')])).toEqual(['done']);
  });
});
