import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Milliseconds since 1970 by the clock of PostgreSQL. */
export async function readDatabaseTime({ query }: Pick<Database, 'query'>): Promise<number> {
  const asked = sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  const [row] = (await asked.execute(query)).rows;
  if (!row) throw new Error('PostgreSQL did not tell the time.');
  return row.now;
}
