import type { Database } from '../../store/database/database.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { Batches, type Outcome } from './batches.ts';
import { type AcceptedReport, ContainerRecording } from './record-containers.ts';
import { readStatus } from './sanitize-text.ts';
import { requireAgentAccess } from './stack-of-agent.ts';

export interface ContainerReport {
  stackId: string;
  agentId: string;
  containerId: string;
  status: string;
  instanceId?: string | undefined;
}

const batches = new WeakMap<Database, Batches<AcceptedReport>>();

function batchesOf(service: Service): Batches<AcceptedReport> {
  const known = batches.get(service.database);
  if (known) return known;
  const made = new Batches<AcceptedReport>((reports) => recordTogether(service, reports));
  batches.set(service.database, made);
  return made;
}

/**
 * Agents repeat their reports every minute or faster: a repeat only updates the time in the row, a change becomes an event. Reports
 * that arrive at the same time share a transaction.
 */
export async function reportContainerStatus(
  service: Service,
  actor: Actor,
  report: ContainerReport,
): Promise<void> {
  const status = readStatus(report.status);
  await requireAgentAccess(service.database.query, actor, { stackId: report.stackId, purpose: 'report' });
  return batchesOf(service).add({ ...report, status, accountId: actor.accountId });
}

/** A report that fails by its own fault has that outcome; any other error fails all. */
async function recordTogether(service: Service, reports: readonly AcceptedReport[]): Promise<Outcome[]> {
  const { database } = service;
  const stackIds = [...new Set(reports.map(({ stackId }) => stackId))].toSorted();
  const { outcomes, changed } = await database.transaction(async (query) => {
    await database.lock(query, ...stackIds.map((id) => `agents of ${id}`));
    const recording = await ContainerRecording.begin(service, query, reports);
    const taken: Outcome[] = [];
    for (const report of reports) taken.push(await recording.take(report));
    return { outcomes: taken, changed: await recording.write() };
  });
  await database.notify('stack-event', ...changed);
  return outcomes;
}
