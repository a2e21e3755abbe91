import type { Database } from './database.ts';

const sqliteFile = (url: string): string | null =>
  url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null;

function refuseUnknownEngine(url: string): void {
  if (sqliteFile(url) !== null || /^postgres(ql)?:/.test(url)) return;
  throw new Error(`DATABASE_URL must start with postgres:// or sqlite:, not ${url.split(':')[0]}:`);
}

/** Opens by URL, `sqlite:<file>` or `postgres://…`, to serve from it. The driver of the other engine is not even loaded. */
export async function openDatabase(url: string): Promise<Database> {
  refuseUnknownEngine(url);
  const file = sqliteFile(url);
  return file === null
    ? (await import('./postgres.ts')).openPostgres(url)
    : (await import('./sqlite.ts')).openSqlite(file);
}

/** For commands beside a running server: an embedded file is not claimed, and a schema that stands is not touched. */
export async function attachDatabase(url: string): Promise<Database> {
  refuseUnknownEngine(url);
  const file = sqliteFile(url);
  return file === null
    ? (await import('./postgres.ts')).attachPostgres(url)
    : (await import('./sqlite.ts')).attachSqlite(file);
}
