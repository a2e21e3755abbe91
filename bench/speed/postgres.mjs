// Databases of a PostgreSQL server, and what its own benchmark reaches on it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';

/** The server that `scripts/with-postgres.sh` started, or one of your own. */
const postgresUrl = process.env.TEST_POSTGRES_URL ?? process.env.DATABASE_URL;

/** Runs this program again with a PostgreSQL server of its own, if there is none. */
export function needPostgres() {
  if (postgresUrl) return;
  const wrapper = resolve(import.meta.dirname, '../../scripts/with-postgres.sh');
  const again = [wrapper, process.execPath, ...process.argv.slice(1)];
  process.exit(spawnSync('bash', again, { stdio: 'inherit' }).status ?? 1);
}

/** The URL of a new, empty database on the server. */
export async function newDatabase() {
  const name = `bench_${process.pid}_${Date.now()}`;
  const client = new pg.Client(postgresUrl);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Transactions of one inserted row a second, as pgbench counts them. */
export async function pgbenchInserts(url, { clients = 10, seconds = 3 } = {}) {
  const place = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
  const script = join(place, 'insert.sql');
  writeFileSync(script, `insert into bench_rows (status) values ('running');\n`);
  const client = new pg.Client(url);
  await client.connect();
  await client.query('create table if not exists bench_rows (id bigserial primary key, status text)');
  const args = ['-n', '-f', script, '-c', String(clients), '-j', '1', '-T', String(seconds), url];
  const output = execFileSync('pgbench', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  await client.query('drop table bench_rows');
  await client.end();
  rmSync(place, { recursive: true });
  return Number(/tps = ([\d.]+)/.exec(output)[1]);
}
