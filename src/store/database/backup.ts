import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { sql } from 'kysely';
import type { Database, Query } from './database.ts';
import { schemaVersion } from './migrate.ts';
import type { Tables } from './tables.ts';

/**
 * A backup is text, one row a line, and belongs to no engine: what was saved from the embedded database can be put into
 * PostgreSQL. Every table with its key, parents before children: rows go back in this order and are taken away in the reverse.
 */
const tableKeys = {
  meta: ['key'],
  accounts: ['id'],
  users: ['id'],
  api_clients: ['id'],
  access_tokens: ['hash'],
  login_failures: ['subject'],
  roles: ['id'],
  user_roles: ['id'],
  audit: ['account_id', 'number'],
  credentials: ['account_id', 'vendor', 'id'],
  stacks: ['id'],
  versions: ['id'],
  version_secrets: ['version_id', 'name'],
  events: ['stack_id', 'number'],
  layer_revisions: ['stack_id', 'flag'],
  agents: ['stack_id', 'agent_id'],
  containers: ['stack_id', 'container_id'],
  replacements: ['stack_id', 'instance_id'],
  pem_links: ['hash'],
  host_keys: ['stack_id', 'instance_id'],
  terminal_tickets: ['hash'],
  idempotency_keys: ['account_id', 'key'],
  durations: ['stack_id', 'ended_at'],
  sandbox_stacks: ['cloud_account', 'stack_id'],
  sandbox_faults: ['cloud_account'],
} as const satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] };

type TableName = keyof typeof tableKeys;
type Row = Record<string, string | number | null>;

const tableNames = Object.keys(tableKeys) as TableName[];
const pageSize = 500;

/** One page after the other, so that a large table never stands in memory. */
async function* rowsOf(query: Query, table: TableName): AsyncGenerator<Row> {
  const columns = tableKeys[table];
  const key = sql.join(columns.map((column) => sql.ref(column)));
  let after = sql`1 = 1`;
  for (;;) {
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} where ${after} order by ${key} limit ${pageSize}`.execute(
        query,
      );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = sql`(${key}) > (${sql.join(columns.map((column) => last[column]))})`;
  }
}

async function* linesOf(query: Query): AsyncGenerator<string> {
  yield `${JSON.stringify({ almanac: 'backup', schema: schemaVersion })}\n`;
  for (const table of tableNames)
    for await (const row of rowsOf(query, table)) yield `${JSON.stringify([table, row])}\n`;
  yield `${JSON.stringify({ end: true })}\n`;
}

/** Writes everything, as of one moment, while servers go on; the file appears only when it is whole. */
export async function writeBackup(database: Database, file: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  try {
    await database.snapshot((query) =>
      pipeline(Readable.from(linesOf(query)), createGzip(), createWriteStream(unfinished, { mode: 0o600 })),
    );
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

function refuseForeign(line: string, file: string): void {
  const { almanac, schema } = JSON.parse(line) as { almanac?: string; schema?: string };
  if (almanac !== 'backup') throw new Error(`${file} is not a backup of Almanac.`);
  if (schema !== schemaVersion)
    throw new Error(
      `${file} holds schema ${schema}, this program works with ${schemaVersion}. Restore it with the Almanac that wrote it, then upgrade.`,
    );
}

async function* linesIn(file: string): AsyncGenerator<string> {
  const text = createGunzip().setEncoding('utf8');
  const source = createReadStream(file).on('error', (error) => text.destroy(error));
  let rest = '';
  for await (const chunk of source.pipe(text) as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function insertRows(query: Query, lines: AsyncIterable<string>, file: string): Promise<void> {
  let first = true;
  let whole = false;
  for await (const line of lines) {
    if (first) refuseForeign(line, file);
    else {
      const entry = JSON.parse(line) as [TableName, Row] | { end: true };
      if (Array.isArray(entry)) await insertRow(query, ...entry);
      else whole = entry.end;
    }
    first = false;
  }
  if (!whole) throw new Error(`${file} is not whole: its end is missing. Nothing was restored.`);
}

async function insertRow(query: Query, table: TableName, row: Row): Promise<void> {
  if (!tableNames.includes(table)) throw new Error(`The backup holds an unknown table ${table}.`);
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
    query,
  );
}

/**
 * Puts a backup in place of everything, in one transaction, also while servers run: whoever worked on a stack before
 * is fenced off by the raised epochs, and every stack is looked at anew.
 */
export async function restoreBackup(
  database: Database,
  file: string,
  options: { now: number; check(query: Query): Promise<void> },
): Promise<void> {
  await database.transaction(async (query) => {
    const { highest } = await query
      .selectFrom('stacks')
      .select((select) => select.fn.max('epoch').as('highest'))
      .executeTakeFirstOrThrow();
    for (const table of tableNames.toReversed()) await query.deleteFrom(table).execute();
    await insertRows(query, linesIn(file), file);
    await options.check(query);
    await query
      .updateTable('stacks')
      .set((set) => ({ epoch: set('epoch', '+', (highest ?? 0) + 1), lease_until: 0, lease_owner: '' }))
      .execute();
    await query.updateTable('stacks').set({ next_at: options.now }).where('deleted_at', 'is', null).execute();
  });
  await database.notify('stack-due', '');
}
