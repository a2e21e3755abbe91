import type { Query } from '../database/database.ts';
import type { UserRow } from './accounts.ts';

/** Whoever goes by the login in any account, as `findUserByLogin` finds them in one; at most so many. */
export const findUsersByLogin = (query: Query, login: string, limit: number): Promise<UserRow[]> =>
  query
    .selectFrom('users')
    .selectAll()
    .where((where) => {
      const master = where('master', '=', 1);
      const asMaster = login === 'root' ? master : where.and([master, where('email', '=', login)]);
      return where.or([where('username', '=', login), asMaster]);
    })
    .orderBy('created_at')
    .limit(limit)
    .execute();
