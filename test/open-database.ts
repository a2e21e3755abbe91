import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { randomHex } from '../src/basics/random.ts';
import type { Database } from '../src/store/database/database.ts';
import { schemaVersion } from '../src/store/database/migrate.ts';
import { openDatabase } from '../src/store/database/open-database.ts';

/** The data of a test: a separate SQLite file or, with TEST_POSTGRES_URL, a separate PostgreSQL database. */
export interface TestPlace {
  url: string;
  directory: string;
  /** Starts a process that `remove` kills. After that nothing can be started: a test that timed out is still running. */
  start(spawn: () => ChildProcess): ChildProcess;
  /** Kills the started processes and deletes all data. */
  remove(): Promise<void>;
}

function ownProcesses() {
  const running = new Set<ChildProcess>();
  let isClosed = false;
  return {
    start: (spawn: () => ChildProcess): ChildProcess => {
      if (isClosed) throw new Error('The test is over: no process can be started.');
      const child = spawn();
      running.add(child);
      child.once('close', () => running.delete(child));
      return child;
    },
    killAll: async (): Promise<void> => {
      isClosed = true;
      const ends = [...running].map((child) => once(child, 'close'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

export const onPostgres = Boolean(process.env.TEST_POSTGRES_URL);

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

const urlOf = (name: string): string => {
  const url = new URL(process.env.TEST_POSTGRES_URL ?? '');
  url.pathname = `/${name}`;
  return url.href;
};

/** A database with the schema alone, which is copied for each test: that takes a tenth of the time of all migrations. */
const madeSchema = `almanac_test_schema_${schemaVersion}`;

const makeSchemaOnce = (): Promise<void> =>
  asAdmin(async (admin) => {
    await admin.query('select pg_advisory_lock(1)');
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [madeSchema]);
    if (rowCount) return;
    const unfinished = `${madeSchema}_unfinished`;
    await admin.query(`drop database if exists "${unfinished}"`);
    await admin.query(`create database "${unfinished}"`);
    await (await openDatabase(urlOf(unfinished))).close();
    await admin.query(`alter database "${unfinished}" with allow_connections false`);
    await admin.query(`alter database "${unfinished}" rename to "${madeSchema}"`);
  });

let schemaMade: Promise<void> | undefined;
let schemaFile: Promise<string> | undefined;

async function makeSchemaFile(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-test-schema-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'almanac.db');
  await (await openDatabase(`sqlite:${file}`)).close();
  return file;
}

async function makePlace(hasSchema: boolean): Promise<TestPlace> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-test-'));
  const { start, killAll } = ownProcesses();
  const removeFiles = async () => {
    await killAll();
    rmSync(directory, { recursive: true, force: true });
  };
  if (!onPostgres) {
    const file = join(directory, 'almanac.db');
    if (hasSchema) copyFileSync(await (schemaFile ??= makeSchemaFile()), file);
    return { url: `sqlite:${file}`, directory, start, remove: removeFiles };
  }
  const name = `almanac_test_${randomHex(12)}`;
  if (hasSchema) await (schemaMade ??= makeSchemaOnce());
  await asAdmin((admin) =>
    admin.query(`create database ${name} ${hasSchema ? `template "${madeSchema}"` : ''}`),
  );
  const remove = async () => {
    await removeFiles();
    await asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`));
  };
  return { url: urlOf(name), directory, start, remove };
}

/** With the schema: the server finds nothing to migrate. */
export const makeTestPlace = (): Promise<TestPlace> => makePlace(true);

/** Without anything, as the first start of a server finds it. */
export const makeEmptyPlace = (): Promise<TestPlace> => makePlace(false);

export async function openTestDatabase(): Promise<Database> {
  const place = await makeTestPlace();
  const database = await openDatabase(place.url);
  return {
    ...database,
    close: async () => {
      await database.close();
      await place.remove();
    },
  };
}
