import type { Query } from '../../store/database/database.ts';
import type { Service } from '../service.ts';

/**
 * Users, API clients and attachments of one account change one at a time: nobody attaches what another is just
 * deleting, takes a name twice, or gets a token for a secret that is just being replaced.
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
