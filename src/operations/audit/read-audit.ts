import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AuditFilter, type AuditRow, findLastAudit, listAudit } from '../../store/access/audit.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { presentAudit } from './audit-chain.ts';

const exportPage = 500;

export interface AuditPage {
  filter: AuditFilter;
  /** Number of the last entry of the page before. */
  after: number | undefined;
  limit: number;
}

export const showAudit = (row: AuditRow) => ({ ...presentAudit(row), hash: row.hash });

/** Lists entries of the actor's account, newest first. */
export const readAudit = (
  service: Service,
  actor: Actor,
  { filter, ...page }: AuditPage,
): Promise<AuditRow[]> =>
  listAudit(service.database.query, actor.accountId, { ...filter, order: 'newest first', ...page });

/** Streams entries, oldest first, up to the last one at the start; a page at a time, to limit memory. */
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
    // SQLite reads without waiting: other requests would not be answered until the end.
    await nextTurn();
    if (page.length < exportPage) return;
    after = page.at(-1)?.number ?? end;
  }
}
