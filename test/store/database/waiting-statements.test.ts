import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/basics/failure.ts';
import type { Query } from '../../../src/store/database/database.ts';
import { onPostgres } from '../../open-database.ts';
import { usePostgres } from './use-postgres.ts';

const keep = async (query: Query, key: string, value = ''): Promise<void> => {
  await query.insertInto('meta').values({ key, value }).execute();
};

const kept = async (query: Query): Promise<string[]> => {
  const rows = await query.selectFrom('meta').select('key').where('key', 'like', 'test %').execute();
  return rows.map(({ key }) => key).toSorted();
};

const errorOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

// Insertions and locks wait for the next statement of their transaction and travel with it.
describe.runIf(onPostgres)('a statement of a transaction on PostgreSQL that gives nothing back', () => {
  const used = usePostgres();

  it('is stored when the transaction has committed, also when it was the last one, and also by name', async () => {
    for (let time = 0; time < 6; time += 1)
      await used.database.transaction(async (query) => {
        await keep(query, `test ${time}`);
        await keep(query, `test ${time}b`);
      });
    expect(await kept(used.database.query)).toHaveLength(12);
  });

  it('is seen by the next statement of the transaction, and not outside before it commits', async () => {
    await used.database.transaction(async (query) => {
      await keep(query, 'test 1');
      expect(await kept(query)).toEqual(['test 1']);
      expect(await kept(used.database.query)).toEqual([]);
    });
    expect(await kept(used.database.query)).toEqual(['test 1']);
  });

  it('leaves nothing if the transaction is given up, before or after another statement', async () => {
    const giveUp = async (query: Query, looks: boolean) => {
      await keep(query, 'test 1');
      if (looks) await kept(query);
      throw new Error('given up');
    };
    for (const looks of [false, true])
      expect(await errorOf(used.database.transaction((query) => giveUp(query, looks)))).toEqual(
        new Error('given up'),
      );
    expect(await kept(used.database.query)).toEqual([]);
  });

  it('that fails makes the transaction fail with its reason, undoes all of it, and spares the connection', async () => {
    await keep(used.database.query, 'test 1');
    for (let time = 0; time < 5; time += 1) {
      const work = async (query: Query) => {
        await keep(query, 'test 2');
        await keep(query, 'test 1');
      };
      expect(await errorOf(used.database.transaction(work))).toMatchObject({ code: '23505' });
    }
    await used.database.transaction((query) => keep(query, 'test 3'));
    expect(await kept(used.database.query)).toEqual(['test 1', 'test 3']);
  });

  it('is stored with all others, however many there are', async () => {
    await used.database.transaction(async (query) => {
      for (let time = 0; time < 200; time += 1) await keep(query, `test ${time}`);
    });
    expect(await kept(used.database.query)).toHaveLength(200);
  });

  it('that fails does not spoil the statement it traveled with, which was about to be planned', async () => {
    await keep(used.database.query, 'test 1');
    const look = (query: Query) => query.selectFrom('users').select('id').execute();
    // The third use of a text is planned: in a transaction that fails before it.
    for (let time = 0; time < 2; time += 1) await look(used.database.query);
    const work = async (query: Query) => {
      await keep(query, 'test 1');
      await look(query);
    };
    expect(await errorOf(used.database.transaction(work))).toMatchObject({ code: '23505' });
    for (let time = 0; time < 3; time += 1) expect(await used.database.transaction(look)).toEqual([]);
  });

  it('stores texts of any kind and length as they are', async () => {
    const value = `quote ' backslash \\ line \n null-like NULL, 🚀 ${'x'.repeat(100_000)}`;
    await used.database.transaction((query) => keep(query, 'test 1', value));
    const row = used.database.query.selectFrom('meta').select('value').where('key', '=', 'test 1');
    expect((await row.executeTakeFirst())?.value).toBe(value);
  });

  it('locks until the end of the transaction: of two that count up at the same time, none is lost', async () => {
    await keep(used.database.query, 'test count', '0');
    const countUp = () =>
      used.database.transaction(async (query) => {
        await used.database.lock(query, 'count');
        const row = query.selectFrom('meta').select('value').where('key', '=', 'test count');
        const { value } = await row.executeTakeFirstOrThrow();
        await query
          .updateTable('meta')
          .set({ value: String(Number(value) + 1) })
          .where('key', '=', 'test count')
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, countUp));
    const row = used.database.query.selectFrom('meta').select('value').where('key', '=', 'test count');
    expect((await row.executeTakeFirst())?.value).toBe('20');
  });

  it('makes the transaction fail as unavailable if the connection is lost, and nothing of it is stored', async () => {
    const work = async (query: Query) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(query);
      await keep(query, 'test 1');
      const other = new pg.Client(used.place.url);
      await other.connect();
      await other.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
      await other.end();
    };
    const failed = await errorOf(used.database.transaction(work));
    expect(failed).toBeInstanceOf(Failure);
    expect((failed as Failure).kind).toBe('unavailable');
    expect(await kept(used.database.query)).toEqual([]);
  });
});
