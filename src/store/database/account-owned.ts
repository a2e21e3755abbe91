import { type RawBuilder, sql } from 'kysely';
import { tableNames } from './backup.ts';
import type { Query } from './database.ts';
import type { Tables } from './tables.ts';

type OwnerColumn =
  | 'account_id'
  | 'stack_id'
  | 'version_id'
  | 'user_id'
  | 'client_id'
  | 'cloud_account'
  | 'repository';

/**
 * The column that leads from a row to its account. Null: the rows belong to the server, or remain when an account is deleted. A
 * new table does not compile without its entry.
 */
const ownerColumns = {
  meta: null,
  accounts: null,
  users: 'account_id',
  api_clients: 'account_id',
  access_tokens: 'account_id',
  // Digests, which expire by themselves.
  login_failures: null,
  known_places: null,
  used_challenges: null,
  personal_tokens: 'account_id',
  second_factors: 'account_id',
  recovery_codes: 'user_id',
  passkeys: 'account_id',
  openid_identities: 'account_id',
  sign_in_codes: 'user_id',
  roles: 'account_id',
  user_roles: 'account_id',
  client_roles: 'account_id',
  client_users: 'client_id',
  audit: null,
  credentials: 'account_id',
  account_secrets: 'account_id',
  stacks: 'account_id',
  sweeps: 'account_id',
  versions: 'stack_id',
  version_secrets: 'version_id',
  secret_uses: 'version_id',
  data_stores: 'account_id',
  data_releases: 'stack_id',
  events: 'stack_id',
  layer_revisions: 'stack_id',
  rollouts: 'stack_id',
  app_instances: 'stack_id',
  agents: 'stack_id',
  containers: 'stack_id',
  replacements: 'stack_id',
  version_submitters: 'version_id',
  tracked_layers: 'stack_id',
  paused_stacks: 'stack_id',
  deploy_hooks: 'stack_id',
  hook_deliveries: 'stack_id',
  pem_links: 'stack_id',
  host_keys: 'stack_id',
  stack_keys: 'stack_id',
  terminal_tickets: 'stack_id',
  idempotency_keys: 'account_id',
  durations: 'stack_id',
  price_sheets: null,
  registry_keys: null,
  registry_repositories: 'account_id',
  registry_images: 'repository',
  version_pulls: 'version_id',
  sandbox_stacks: 'stack_id',
  sandbox_faults: 'cloud_account',
} as const satisfies { [Table in keyof Tables]: (OwnerColumn & keyof Tables[Table]) | null };

type Condition = RawBuilder<unknown>;

const ofAccount: Readonly<Record<OwnerColumn, (accountId: string) => Condition>> = {
  account_id: (id) => sql`account_id = ${id}`,
  stack_id: (id) => sql`stack_id in (select id from stacks where account_id = ${id})`,
  version_id: (id) =>
    sql`version_id in (select versions.id from versions join stacks on stacks.id = stack_id where account_id = ${id})`,
  user_id: (id) => sql`user_id in (select id from users where account_id = ${id})`,
  client_id: (id) => sql`client_id in (select id from api_clients where account_id = ${id})`,
  // `<account id>/<credential id>`; an account id has no characters with a meaning in patterns.
  cloud_account: (id) => sql`cloud_account like ${`${id}/%`}`,
  repository: (id) => sql`repository in (select name from registry_repositories where account_id = ${id})`,
};

const ofStack: Partial<typeof ofAccount> = {
  stack_id: (id) => sql`stack_id = ${id}`,
  version_id: (id) => sql`version_id in (select id from versions where stack_id = ${id})`,
};

/** Children before parents. */
const deletionOrder = tableNames.toReversed();

async function deleteRows(query: Query, conditions: Partial<typeof ofAccount>, id: string): Promise<void> {
  for (const table of deletionOrder) {
    const column = ownerColumns[table];
    const condition = column && conditions[column]?.(id);
    if (condition) await sql`delete from ${sql.table(table)} where ${condition}`.execute(query);
  }
}

/** Deletes everything that belongs to an account, except its own row and its audit log. */
export const deleteRowsOfAccount = (query: Query, accountId: string): Promise<void> =>
  deleteRows(query, ofAccount, accountId);

/** Deletes everything that belongs to a stack, and the stack. */
export async function deleteRowsOfStack(query: Query, stackId: string): Promise<void> {
  await deleteRows(query, ofStack, stackId);
  await query.deleteFrom('stacks').where('id', '=', stackId).execute();
}

/** Number of rows of an account by table, without tables that have none. */
export async function countRowsOfAccount(query: Query, accountId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tableNames) {
    const column = ownerColumns[table];
    if (column === null) continue;
    const condition = ofAccount[column](accountId);
    const { rows } = await sql<{
      count: number;
    }>`select count(*) as count from ${sql.table(table)} where ${condition}`.execute(query);
    const count = rows[0]?.count ?? 0;
    if (count > 0) counts.set(table, count);
  }
  return counts;
}
