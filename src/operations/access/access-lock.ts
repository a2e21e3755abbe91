import type { Query } from '../../store/database/database.ts';
import type { Service } from '../service.ts';

/**
 * Runs changes to users, API clients and role attachments of one account one at a time. So a role cannot be attached while it
 * is deleted, a name cannot be taken twice, and a token cannot be issued for a secret that is being replaced.
 */
export const changeAccess = <T>(
  service: Service,
  accountId: string,
  work: (query: Query) => Promise<T>,
): Promise<T> =>
  service.database.transaction(async (query) => {
    await service.database.lock(query, `access of ${accountId}`);
    return work(query);
  });
