import type { Database } from './database.ts';

const sqliteFile = (url: string): string | null =>
  url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null;

function refuseUnknownEngine(url: string): void {
  if (sqliteFile(url) !== null || /^postgres(ql)?:/.test(url)) return;
  throw new Error(`DATABASE_URL must start with postgres:// or sqlite:, not ${url.split(':')[0]}:`);
}

/**
 * Opens the database of a server by URL, `sqlite:<file>` or `postgres://…`. The driver of the other engine is not loaded.
 * `listenUrl`: for notifications and migrations, if the URL is that of a pooler.
 */
export async function openDatabase(url: string, listenUrl?: string): Promise<Database> {
  refuseUnknownEngine(url);
  const file = sqliteFile(url);
  return file === null
    ? (await import('./postgres.ts')).openPostgres(url, listenUrl)
    : (await import('./sqlite.ts')).openSqlite(file);
}

/** For commands that run next to a server: does not claim an SQLite file and does not change an existing schema. */
export async function attachDatabase(url: string): Promise<Database> {
  refuseUnknownEngine(url);
  const file = sqliteFile(url);
  return file === null
    ? (await import('./postgres.ts')).attachPostgres(url)
    : (await import('./sqlite.ts')).attachSqlite(file);
}
