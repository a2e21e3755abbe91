import { type AuditFilter, type AuditRow, findLastAudit, listAudit } from '../../store/access/audit.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { presentAudit } from './audit-chain.ts';

const exportPage = 500;

export const showAudit = (row: AuditRow) => ({ ...presentAudit(row), hash: row.hash });

/** What was recorded in the actor's account, newest first. */
export const readAudit = (
  service: Service,
  actor: Actor,
  filter: AuditFilter,
  page: { after: number | undefined; limit: number },
): Promise<AuditRow[]> =>
  listAudit(service.database.query, actor.accountId, { ...filter, order: 'newest first', ...page });

/** Oldest first, up to what is last when it begins; a page at a time, so that a long log never stands in memory. */
export async function* exportAudit(
  service: Service,
  actor: Actor,
  filter: AuditFilter,
): AsyncGenerator<AuditRow[]> {
  const { query } = service.database;
  const end = (await findLastAudit(query, actor.accountId))?.number ?? 0;
  for (let after = 0; after < end; ) {
    const range = { order: 'oldest first', after, limit: exportPage } as const;
    const page = await listAudit(query, actor.accountId, { ...filter, ...range });
    const rows = page.filter((row) => row.number <= end);
    if (rows.length > 0) yield rows;
    if (page.length < exportPage) return;
    after = page.at(-1)?.number ?? end;
  }
}
