import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { randomHex } from '../src/basics/random.ts';
import type { Database } from '../src/store/database/database.ts';
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

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

export async function makeTestPlace(): Promise<TestPlace> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-test-'));
  const { start, killAll } = ownProcesses();
  const removeFiles = async () => {
    await killAll();
    rmSync(directory, { recursive: true, force: true });
  };
  if (!process.env.TEST_POSTGRES_URL)
    return { url: `sqlite:${join(directory, 'almanac.db')}`, directory, start, remove: removeFiles };
  const name = `almanac_test_${randomHex(12)}`;
  await asAdmin(`create database ${name}`);
  const url = new URL(process.env.TEST_POSTGRES_URL);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    directory,
    start,
    remove: async () => {
      await removeFiles();
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

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
