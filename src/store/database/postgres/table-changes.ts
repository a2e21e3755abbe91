import { type Kysely, sql } from 'kysely';
import type { countedTables } from '../../migrations/from-0028/0033_table_changes.ts';
import type { Tables } from '../tables.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** Tables whose changes are counted. One more needs a migration with its triggers. */
export type CountedTable = (typeof countedTables)[number];

type Counts = ReadonlyMap<string, number>;

interface Row {
  name: string;
  number: number;
  rows: number;
  server: string;
}

/** So many rows make the read slow: those of connections that have ended are added up. */
const minRows = 400;

/** More changes than any table will see: after PostgreSQL was replaced, no stamp is like an earlier one. */
const perServer = 2 ** 40;

/**
 * How often each table was changed, by whichever server, as triggers count it in the transaction of the change (migration 0033). A caller
 * gets counts that were read after its question; those that ask at the same time share a read.
 */
export class TableChanges {
  readonly #query: Kysely<Tables>;
  readonly #counts = oneAtATime(() => this.#read());
  #server: string | undefined;
  #servers = 0;
  /** How many rows are too many; null: twice what the next read finds. */
  #maxRows: number | null = minRows;

  constructor(query: Kysely<Tables>) {
    this.#query = query;
  }

  /** The changes of some tables, which only grow. */
  async stamp(tables: readonly CountedTable[]): Promise<number> {
    const counts = await this.#counts();
    return tables.reduce((sum, table) => sum + (counts.get(table) ?? 0), this.#servers * perServer);
  }

  async #read(): Promise<Counts> {
    const read = sql<Row>`
      select name, sum(number)::bigint as number, count(*)::integer as rows, extract(epoch from pg_postmaster_start_time())::text as server
      from table_changes group by name`;
    const { rows } = await read.execute(this.#query);
    this.#noteServer(rows[0]?.server);
    this.#noteRows(rows.reduce((sum, row) => sum + row.rows, 0));
    return new Map(rows.map(({ name, number }) => [name, number]));
  }

  /** One that was started again, or that took over, may have lost what was read from the one before. */
  #noteServer(server: string | undefined): void {
    if (server === this.#server) return;
    this.#server = server;
    this.#servers += 1;
  }

  #noteRows(rows: number): void {
    this.#maxRows ??= Math.max(minRows, 2 * rows);
    if (rows <= this.#maxRows) return;
    this.#maxRows = Infinity;
    void this.#addUp()
      .catch(() => {}) // another read tries it again
      .then(() => {
        this.#maxRows = null;
      });
  }

  /** The sums stay the same. */
  async #addUp(): Promise<void> {
    await sql`
      with ended as (
        delete from table_changes where backend <> 0 and backend not in (select pid from pg_stat_activity)
        returning name, number
      )
      insert into table_changes (backend, name, number)
      select 0, name, sum(number) from ended group by name
      on conflict (backend, name) do update set number = table_changes.number + excluded.number`.execute(
      this.#query,
    );
  }
}
