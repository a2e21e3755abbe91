import type { Insertable, Selectable } from 'kysely';
import type { Query } from '../database/database.ts';
import type { PemLinkTable } from '../database/ssh-tables.ts';

export type PemLinkRow = Selectable<PemLinkTable>;

export const insertPemLink = async (query: Query, link: Insertable<PemLinkTable>): Promise<void> => {
  await query.insertInto('pem_links').values(link).execute();
};

/** Consumes one read in one statement: two concurrent requests cannot both use the last one. Undefined: none left. */
export const takePemLinkRead = (query: Query, hash: string, now: number): Promise<PemLinkRow | undefined> =>
  query
    .updateTable('pem_links')
    .set((set) => ({ reads_left: set('reads_left', '-', 1) }))
    .where('hash', '=', hash)
    .where('reads_left', '>', 0)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();

export const deleteExpiredPemLinks = async (query: Query, now: number): Promise<void> => {
  await query.deleteFrom('pem_links').where('expires_at', '<=', now).execute();
};
