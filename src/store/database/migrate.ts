import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { foundation } from '../migrations/0001_foundation.ts';
import { access } from '../migrations/0002_access.ts';
import { realClouds } from '../migrations/0003_real_clouds.ts';
import { ssh } from '../migrations/0004_ssh.ts';
import { signIn } from '../migrations/0005_sign_in.ts';
import { clientKinds } from '../migrations/0006_client_kinds.ts';
import { accounts } from '../migrations/0007_accounts.ts';
import { openId } from '../migrations/0008_openid.ts';
import { personal } from '../migrations/0009_personal.ts';
import { streams } from '../migrations/0010_streams.ts';
import { data } from '../migrations/0011_data.ts';
import { states } from '../migrations/0013_states.ts';
import { cost } from '../migrations/0014_cost.ts';
import { summary } from '../migrations/0019_summary.ts';
import { resources } from '../migrations/0020_resources.ts';
import { sessions } from '../migrations/0021_sessions.ts';
import { registry } from '../migrations/0022_registry.ts';
import { openStack } from '../migrations/0025_openstack.ts';
import { stackKeys } from '../migrations/0026_stack_keys.ts';
import { replacedData } from '../migrations/0027_replaced_data.ts';
import { agentLogs } from '../migrations/from-0028/0028_agent_logs.ts';
import { retention } from '../migrations/from-0028/0029_retention.ts';
import { sweeps } from '../migrations/from-0028/0030_sweeps.ts';
import { large } from '../migrations/from-0028/0031_large.ts';
import { denied } from '../migrations/from-0028/0032_denied.ts';
import { tableChanges } from '../migrations/from-0028/0033_table_changes.ts';
import { joinedSweeps } from '../migrations/from-0028/0034_joined_sweeps.ts';
import { dataStores } from '../migrations/from-0028/0035_data_stores.ts';
import { rollouts } from '../migrations/from-0028/0036_rollouts.ts';
import { pushToDeploy } from '../migrations/from-0028/0037_push_to_deploy.ts';
import { lanes } from '../migrations/from-0028/0038_lanes.ts';
import { proofs } from '../migrations/from-0028/0039_proofs.ts';
import { containerSecrets } from '../migrations/from-0028/0040_container_secrets.ts';
import { passkeys } from '../migrations/from-0028/0041_passkeys.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

type Engine = Database['engine'];

/** For all engines, or for some. */
type Statements = readonly string[] | Partial<Record<Engine, readonly string[]>>;

/** In order. Never change or remove one that was released. */
const migrations: Readonly<Record<string, Statements>> = {
  '0001_foundation': foundation,
  '0002_access': access,
  '0003_real_clouds': realClouds,
  '0004_ssh': ssh,
  '0005_sign_in': signIn,
  '0006_client_kinds': clientKinds,
  '0007_accounts': accounts,
  '0008_openid': openId,
  '0009_personal': personal,
  '0010_streams': streams,
  '0011_data': data,
  '0013_states': states,
  '0014_cost': cost,
  '0019_summary': summary,
  '0020_resources': resources,
  '0021_sessions': sessions,
  '0022_registry': registry,
  '0025_openstack': openStack,
  '0026_stack_keys': stackKeys,
  '0027_replaced_data': replacedData,
  '0028_agent_logs': agentLogs,
  '0029_retention': retention,
  '0030_sweeps': sweeps,
  '0031_large': large,
  '0032_denied': denied,
  '0033_table_changes': { postgres: tableChanges },
  '0034_joined_sweeps': joinedSweeps,
  '0035_data_stores': dataStores,
  '0036_rollouts': rollouts,
  '0037_push_to_deploy': pushToDeploy,
  '0038_lanes': lanes,
  '0039_proofs': proofs,
  '0040_container_secrets': containerSecrets,
  '0041_passkeys': passkeys,
};

export const schemaVersion = Object.keys(migrations).at(-1) as string;

const isForAll = (statements: Statements): statements is readonly string[] => Array.isArray(statements);

const fromStatements = (statements: Statements, engine: Engine): Migration => ({
  async up(db) {
    const own = isForAll(statements) ? statements : (statements[engine] ?? []);
    for (const statement of own) await sql.raw(statement).execute(db);
  },
});

/** The last migration of the database; undefined: the database is empty. */
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
    `The database has schema ${newest}, which is newer than ${schemaVersion} of this program. Use the Almanac version that wrote it, or a later one.`,
  );
}

/** For commands that run next to a server: creates the schema of an empty database, but never changes an existing one. */
export async function migrateIfEmpty(database: Kysely<Tables>, engine: Engine): Promise<void> {
  const newest = await currentSchema(database);
  if (newest === undefined) return migrate(database, engine);
  if (newest !== schemaVersion)
    throw new Error(
      `The database has schema ${newest}; this program requires ${schemaVersion}. Use the same version as the server, or start this version as the server first.`,
    );
}

/** Migrates the schema. Safe when several servers start at once: the migrator holds a lock. */
export async function migrate(database: Kysely<Tables>, engine: Engine): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: {
      getMigrations: () =>
        Promise.resolve(
          Object.fromEntries(
            Object.entries(migrations).map(([name, statements]) => [
              name,
              fromStatements(statements, engine),
            ]),
          ),
        ),
    },
  });
  await refuseNewerSchema(database);
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error('The database migration failed.', { cause: error });
}
