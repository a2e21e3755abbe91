// Fills the database of a stopped server with many copies of its rows: through the interface it would take hours.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Connection from 'libsql';
import pg from 'pg';

/** SQL on the database of a stopped server: that of its URL, or the file in the directory of its data. */
export async function openRows(data, url = process.env.DATABASE_URL) {
  if (url) {
    const client = new pg.Client(url);
    await client.connect();
    await client.query('set synchronous_commit = off');
    await client.query('set session_replication_role = replica'); // copies refer to rows that exist: not checked one by one
    return {
      run: async (text) => void (await client.query(text)),
      all: async (text) => (await client.query(text)).rows,
      columns: async (table) =>
        (
          await client.query(
            `select column_name as name from information_schema.columns where table_name = '${table}' and table_schema = 'public'`,
          )
        ).rows.map(({ name }) => name),
      finish: () => client.query('vacuum analyze'),
      close: () => client.end(),
    };
  }
  const connection = new Connection(join(data, 'almanac.db'));
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = OFF');
  connection.pragma('cache_size = -400000');
  const all = async (text) => connection.prepare(text).all();
  return {
    run: async (text) => void connection.exec(text),
    all,
    columns: async (table) => (await all(`pragma table_info(${table})`)).map(({ name }) => name),
    finish: async () => connection.pragma('wal_checkpoint(TRUNCATE)'),
    close: async () => connection.close(),
  };
}

const rowsPerStatement = 1_000_000;

/** Inserts a row for each number of 1…`count`, made of a row of the table; `change` names the columns that are other expressions of `i`. */
export async function copyRows(rows, { table, where, count, change }) {
  const columns = await rows.columns(table);
  const values = columns.map((column) => change[column] ?? `one.${column}`);
  for (let first = 1; first <= count; first += rowsPerStatement)
    await rows.run(
      `with recursive numbers(i) as
         (select ${first} union all select i + 1 from numbers where i < ${Math.min(count, first + rowsPerStatement - 1)})
       insert into ${table} (${columns.join(', ')})
       select ${values.join(', ')} from (select * from ${table} where ${where} limit 1) one, numbers`,
    );
}

/** Copied stacks that a reader asks for need a token of their own: it is sealed for one stack. */
export async function sealTokens(rows, data, ids) {
  const dist = resolve(process.env.DIST ?? 'dist', 'basics');
  const { Secret, sealerReading } = await import(pathToFileURL(join(dist, 'secret.js')));
  const { readKeyFile, sealingKeyFile } = await import(pathToFileURL(join(dist, 'sealing-key.js')));
  const sealer = sealerReading(() => readKeyFile(sealingKeyFile(data)));
  await rows.run('begin');
  for (const id of ids) {
    const sealed = sealer.seal(new Secret('bench-token'), `stack ${id} auth token`);
    await rows.run(`update stacks set sealed_auth_token = '${sealed}' where id = '${id}'`);
  }
  await rows.run('commit');
}
