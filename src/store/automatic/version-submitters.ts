import type { VersionSubmitterTable } from '../database/application-tables.ts';
import type { Query } from '../database/database.ts';

/** Who asked for something, by ids: a name may belong to another user later. */
export type Submitter = Omit<VersionSubmitterTable, 'version_id'>;

export async function insertVersionSubmitter(
  query: Query,
  versionId: string,
  submitter: Submitter,
): Promise<void> {
  await query
    .insertInto('version_submitters')
    .values({ version_id: versionId, ...submitter })
    .execute();
}

export const findVersionSubmitter = (query: Query, versionId: string): Promise<Submitter | undefined> =>
  query
    .selectFrom('version_submitters')
    .select(['kind', 'subject', 'token_hash'])
    .where('version_id', '=', versionId)
    .executeTakeFirst();
