import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { foundation } from './migrations/0001_foundation.ts';
import { access } from './migrations/0002_access.ts';
import type { Tables } from './tables.ts';

/** In order, for ever. */
const migrations: Readonly<Record<string, readonly string[]>> = {
  '0001_foundation': foundation,
  '0002_access': access,
};

export const schemaVersion = Object.keys(migrations).at(-1) as string;

const fromStatements = (statements: readonly string[]): Migration => ({
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});

async function refuseNewerSchema(migrator: Migrator, database: Kysely<Tables>): Promise<void> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return;
  const rows = await sql<{
    name: string;
  }>`select name from kysely_migration order by name desc limit 1`.execute(database);
  const newest = rows.rows[0]?.name;
  const known = (await migrator.getMigrations()).map((migration) => migration.name);
  if (newest === undefined || known.includes(newest)) return;
  throw new Error(
    `The database holds schema ${newest}, newer than this program's ${schemaVersion}. Start the Almanac that wrote it, or a later one.`,
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
  await refuseNewerSchema(migrator, database);
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error('The database schema could not be brought up to date.', { cause: error });
}
