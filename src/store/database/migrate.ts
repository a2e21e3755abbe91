import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { foundation } from '../migrations/0001_foundation.ts';
import { access } from '../migrations/0002_access.ts';
import { realClouds } from '../migrations/0003_real_clouds.ts';
import { ssh } from '../migrations/0004_ssh.ts';
import type { Tables } from './tables.ts';

/** In order, for ever. */
const migrations: Readonly<Record<string, readonly string[]>> = {
  '0001_foundation': foundation,
  '0002_access': access,
  '0003_real_clouds': realClouds,
  '0004_ssh': ssh,
};

export const schemaVersion = Object.keys(migrations).at(-1) as string;

const fromStatements = (statements: readonly string[]): Migration => ({
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});

/** The newest migration the database has seen; undefined when it is empty. */
async function currentSchema(database: Kysely<Tables>): Promise<string | undefined> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return undefined;
  const newest = sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`;
  return (await newest.execute(database)).rows[0]?.name;
}

async function refuseNewerSchema(database: Kysely<Tables>): Promise<void> {
  const newest = await currentSchema(database);
  if (newest === undefined || newest in migrations) return;
  throw new Error(
    `The database holds schema ${newest}, newer than this program's ${schemaVersion}. Start the Almanac that wrote it, or a later one.`,
  );
}

/** For commands beside a running server: they fill an empty database, but never change the schema under somebody. */
export async function migrateIfEmpty(database: Kysely<Tables>): Promise<void> {
  const newest = await currentSchema(database);
  if (newest === undefined) return migrate(database);
  if (newest !== schemaVersion)
    throw new Error(
      `The database holds schema ${newest}, this program works with ${schemaVersion}. Use the Almanac that serves it, or start this one on it first.`,
    );
}

/** Brings the schema up to date. Safe when several servers start at once: the migrator holds a lock while it works. */
export async function migrate(database: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: {
      getMigrations: () =>
        Promise.resolve(
          Object.fromEntries(Object.entries(migrations).map(([name, up]) => [name, fromStatements(up)])),
        ),
    },
  });
  await refuseNewerSchema(database);
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error('The database schema could not be brought up to date.', { cause: error });
}
