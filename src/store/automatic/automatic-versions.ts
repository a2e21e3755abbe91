import type { Query } from '../database/database.ts';
import type { VersionRow } from '../stacks/versions.ts';
import type { Submitter } from './version-submitters.ts';

export type AutomaticVersion = Pick<VersionRow, 'id' | 'cause' | 'created_at'>;

/** The newest version that a push or a deploy hook made. */
export const findLastAutomatic = (query: Query, stackId: string): Promise<AutomaticVersion | undefined> =>
  query
    .selectFrom('versions')
    .select(['id', 'cause', 'created_at'])
    .where('stack_id', '=', stackId)
    .where('cause', '!=', '')
    .where('returned_from', 'is', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Who submitted a version; for one that the server made itself, who submitted the last one before it. */
export const findResponsible = (
  query: Query,
  stackId: string,
  versionId: string,
): Promise<Submitter | undefined> =>
  query
    .selectFrom('versions')
    .innerJoin('version_submitters', 'version_submitters.version_id', 'versions.id')
    .select(['kind', 'subject', 'token_hash'])
    .where('stack_id', '=', stackId)
    .where('number', '<=', (select) =>
      select.selectFrom('versions as named').select('named.number').where('named.id', '=', versionId),
    )
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
