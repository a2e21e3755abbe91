import type { RetentionConfig } from '../../basics/config/retention.ts';
import { type AuditTools, deleteOldAudit } from './delete-old-audit.ts';
import { deleteOldEvents } from './delete-old-events.ts';

const dayMs = 86_400_000;

/** What one round deleted. */
export interface Deleted {
  events: number;
  entries: number;
}

/** Deletes history that is older than the operator wants to keep. Several servers may do so at the same time. */
export async function deleteOldHistory(
  tools: AuditTools,
  { eventsDays, auditDays }: RetentionConfig,
): Promise<Deleted> {
  const before = (days: number) => tools.clock.now() - days * dayMs;
  return {
    events: eventsDays === 0 ? 0 : await deleteOldEvents(tools, before(eventsDays)),
    entries: auditDays === 0 ? 0 : await deleteOldAudit(tools, before(auditDays)),
  };
}
