import type { Log } from '../basics/log.ts';
import { findSharedOwners } from '../operations/access/shared-owners.ts';
import type { Database } from '../store/database/database.ts';

/** The same warnings as in the list of API clients, for the operator of all accounts. */
export async function warnAboutClients({ query }: Database, log: Log): Promise<void> {
  for (const { clientId, accountId, warning } of await findSharedOwners(query))
    log.warn({ clientId, accountId }, warning);
}
