import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { sql } from 'kysely';
import type { Database, Query } from './database.ts';
import { schemaVersion } from './migrate.ts';
import { codeOf, isDeadlock } from './postgres/deadlock.ts';
import type { Tables } from './tables.ts';

/**
 * A backup is text, one row per line, independent of the engine: a backup of SQLite can be restored into PostgreSQL. Lists every
 * table with its key, parents before children: rows are inserted in this order and deleted in the reverse order.
 */
const tableKeys = {
  meta: ['key'],
  accounts: ['id'],
  users: ['id'],
  api_clients: ['id'],
  client_users: ['client_id', 'user_id'],
  access_tokens: ['hash'],
  personal_tokens: ['hash'],
  second_factors: ['user_id'],
  recovery_codes: ['user_id', 'hash'],
  passkeys: ['id'],
  used_challenges: ['hash'],
  login_failures: ['subject'],
  known_places: ['subject', 'place'],
  openid_identities: ['account_id', 'issuer', 'subject'],
  sign_in_codes: ['hash'],
  roles: ['id'],
  user_roles: ['id'],
  client_roles: ['client_id', 'role_id'],
  audit: ['account_id', 'number'],
  credentials: ['account_id', 'vendor', 'id'],
  account_secrets: ['account_id', 'name'],
  stacks: ['id'],
  sweeps: ['id'],
  versions: ['id'],
  version_secrets: ['version_id', 'name'],
  secret_uses: ['version_id', 'name'],
  data_stores: ['id'],
  data_releases: ['store', 'intent'],
  events: ['stack_id', 'number'],
  layer_revisions: ['stack_id', 'flag'],
  rollouts: ['stack_id', 'flag', 'revision'],
  app_instances: ['stack_id', 'instance_id'],
  agents: ['stack_id', 'agent_id'],
  containers: ['stack_id', 'container_id'],
  replacements: ['stack_id', 'instance_id'],
  version_submitters: ['version_id'],
  tracked_layers: ['stack_id', 'flag'],
  paused_stacks: ['stack_id'],
  deploy_hooks: ['id'],
  hook_deliveries: ['stack_id', 'delivery'],
  pem_links: ['hash'],
  host_keys: ['stack_id', 'instance_id'],
  stack_keys: ['stack_id', 'flag'],
  terminal_tickets: ['hash'],
  idempotency_keys: ['account_id', 'key'],
  durations: ['stack_id', 'ended_at'],
  price_sheets: ['vendor', 'region', 'offer'],
  registry_keys: ['id'],
  registry_repositories: ['name'],
  registry_images: ['repository', 'tag'],
  version_pulls: ['version_id', 'repository'],
  sandbox_stacks: ['cloud_account', 'stack_id'],
  sandbox_faults: ['cloud_account'],
} as const satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] };

export type TableName = keyof typeof tableKeys;
type Row = Record<string, string | number | null>;

/** Parents before children. */
export const tableNames = Object.keys(tableKeys) as TableName[];
const pageSize = 500;

/** Page by page: a large table is never in memory as a whole. */
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

/** Writes a consistent snapshot while servers run. The file appears only when it is complete. */
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
  if (almanac !== 'backup') throw new Error(`${file} is not an Almanac backup.`);
  if (schema !== schemaVersion)
    throw new Error(
      `${file} has schema ${schema}; this program requires ${schemaVersion}. Restore it with the Almanac version that wrote it, then upgrade.`,
    );
}

async function* linesIn(file: string): AsyncGenerator<string> {
  const text = createGunzip().setEncoding('utf8');
  const source = createReadStream(file).on('error', (error) => text.destroy(error));
  let rest = '';
  try {
    for await (const chunk of source.pipe(text) as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    source.destroy();
  }
}

async function insertRows(query: Query, lines: AsyncIterable<string>, file: string): Promise<void> {
  let first = true;
  let complete = false;
  for await (const line of lines) {
    if (first) refuseForeign(line, file);
    else {
      const entry = JSON.parse(line) as [TableName, Row] | { end: true };
      if (Array.isArray(entry)) await insertRow(query, ...entry);
      else complete = entry.end;
    }
    first = false;
  }
  if (!complete) throw new Error(`${file} is incomplete: its end is missing. Nothing was restored.`);
}

async function insertRow(query: Query, table: TableName, row: Row): Promise<void> {
  if (!tableNames.includes(table)) throw new Error(`The backup contains an unknown table: ${table}.`);
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
    query,
  );
}

/**
 * On PostgreSQL, others work at the same time: they finish first, or wait. Readers too: what one has read before the restore, it would
 * write after it. Neither side waits for ever.
 */
async function lockTables({ engine }: Database, query: Query): Promise<void> {
  if (engine !== 'postgres') return;
  await sql`set local lock_timeout to '60s'`.execute(query);
  await sql`set local idle_in_transaction_session_timeout to '60s'`.execute(query);
  const tables = sql.join(tableNames.map((name) => sql.table(name)));
  await sql`lock table ${tables} in access exclusive mode`.execute(query).catch(explainWaiting);
}

const explainWaiting = (error: unknown): never => {
  if (codeOf(error) !== '55P03') throw error;
  throw new Error(
    'Nothing was restored: another program has had a transaction open for a minute. End it, or stop the servers, and repeat.',
    { cause: error },
  );
};

interface RestoreOptions {
  now: number;
  check: (query: Query) => Promise<void>;
}

async function replaceAll(query: Query, file: string, { now, check }: RestoreOptions): Promise<void> {
  const { highest } = await query
    .selectFrom('stacks')
    .select((select) => select.fn.max('epoch').as('highest'))
    .executeTakeFirstOrThrow();
  for (const table of tableNames.toReversed()) await query.deleteFrom(table).execute();
  await insertRows(query, linesIn(file), file);
  await check(query);
  await query
    .updateTable('stacks')
    .set((set) => ({ epoch: set('epoch', '+', (highest ?? 0) + 1), lease_until: 0, lease_owner: '' }))
    .execute();
  await query.updateTable('stacks').set({ next_at: now }).where('deleted_at', 'is', null).execute();
}

/** Each failed one takes a second, after which PostgreSQL looks for deadlocks. */
const maxAttempts = 20;

/**
 * Replaces everything with a backup, in one transaction, also while servers run: the increased epochs fence off passes in
 * progress, and every stack is due again.
 */
export async function restoreBackup(
  database: Database,
  file: string,
  options: RestoreOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await database.transaction(async (query) => {
        await lockTables(database, query);
        await replaceAll(query, file, options);
      });
      break;
    } catch (error) {
      // A server that had begun needed a table that was locked here.
      if (!isDeadlock(error) || attempt === maxAttempts) throw error;
    }
  await database.notify('stack-due', '');
}
