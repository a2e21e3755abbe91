// Databases of a PostgreSQL server, and what its own benchmark reaches on it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  await askDatabase(postgresUrl, `create database ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs work on a connection of its own. */
async function withClient(url, work) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** One query on a database. */
const askDatabase = (url, text) => withClient(url, async (client) => (await client.query(text)).rows);

/** Fields of /proc/…/stat from the parent on; null: the process has ended. */
const statOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
  } catch {
    return null;
  }
};

/** The main process of the PostgreSQL server; undefined: it is on another machine. */
const findPostmaster = (url) =>
  withClient(url, async (client) => {
    const { rows } = await client.query('select pg_backend_pid() as pid, inet_client_addr() as address');
    const [{ pid, address }] = rows;
    return address === null || address === '127.0.0.1' ? statOf(pid)?.[1] : undefined;
  });

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

/** A function for the milliseconds of CPU that the server of a database used in all its processes, also those that ended. */
export async function postgresCpu(url) {
  const postmaster = await findPostmaster(url);
  return () => {
    const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [statOf(name)] : []));
    const children = processes.filter((stat) => stat && stat[1] === postmaster);
    const ended = (statOf(postmaster) ?? []).slice(11, 15); // with those that it waited for
    return 10 * (sum(ended) + sum(children.flatMap((stat) => stat.slice(11, 13))));
  };
}

/** A function for the statements that a database has executed. Needs the extension that `scripts/with-postgres.sh` loads. */
export async function postgresStatements(url) {
  await askDatabase(url, 'create extension if not exists pg_stat_statements');
  const text = `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())`;
  return async () => (await askDatabase(url, text))[0].calls;
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
