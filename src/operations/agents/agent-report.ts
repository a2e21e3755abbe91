import { Failure, notFound } from '../../basics/failure.ts';
import { isInProgress } from '../../model/status.ts';
import { findCredential } from '../../store/access/credentials.ts';
import type { Query } from '../../store/database/database.ts';
import { type AgentRow, findAgent, listReportedInstances, saveAgent } from '../../store/stacks/agents.ts';
import type { NewEvent } from '../../store/stacks/events.ts';
import { markForReplacement } from '../../store/stacks/replacements.ts';
import { lookAtStackBy, wakeStack, wakeStackSoon } from '../../store/stacks/schedule.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { type AgentReport, digestOfApp, receiveAppReport, silentMs } from './app-report.ts';
import { makeRoom } from './make-room.ts';
import { addReportedEvents } from './report-limits.ts';
import { readStatus, sanitizeText } from './sanitize-text.ts';
import { findStackOfAgent } from './stack-of-agent.ts';

const maxMessageLength = 2000;
const spotTermination = 'spot_terminate';

/** Effects of a report, to send the right notifications after the transaction. */
interface ReportEffects {
  events: number;
  wokeStack: boolean;
  /** The health of the stack, or a rollout, is another one. */
  isChanged: boolean;
}

const noEffects: ReportEffects = { events: 0, wokeStack: false, isChanged: false };

interface ReportHandler {
  stackId: string;
  handle: (query: Query, stack: StackRow, now: number) => Promise<ReportEffects>;
}

/**
 * Handles a report. Agents repeat their reports every minute or faster: a repeat only updates the time in the row, a change
 * becomes an event.
 */
async function handleReport(
  service: Service,
  actor: Actor,
  { stackId, handle }: ReportHandler,
): Promise<void> {
  const { database, clock } = service;
  const effects = await database.transaction(async (query) => {
    await database.lock(query, `agents of ${stackId}`);
    return handle(query, await findStackOfAgent(query, actor, { stackId, purpose: 'report' }), clock.now());
  });
  if (effects.events > 0 || effects.isChanged) await database.notify('stack-event', stackId);
  if (effects.wokeStack) await database.notify('stack-due', stackId);
}

export async function reportAgentStatus(service: Service, actor: Actor, report: AgentReport): Promise<void> {
  const { stackId, agentId } = report;
  const handle = async (query: Query, stack: StackRow, now: number): Promise<ReportEffects> => {
    if (report.mustBeKnown) await refuseForeignInstance(query, stack, report.instanceId ?? '');
    const before = await findAgent(query, stackId, agentId);
    const row = rowOf(report, before, now);
    const first = { table: 'agents', stack, id: agentId, instanceId: row.instance_id, now } as const;
    const folded = before ? [] : await makeRoom(service, query, first);
    await saveAgent(query, row);
    const isRepeated = before !== undefined && isSameReport(before, row);
    if (isRepeated && before.app_digest === row.app_digest && now - before.updated_at < silentMs(report))
      return noEffects;
    const app = await receiveAppReport(service, query, {
      stack,
      report: { ...report, status: row.status },
      now,
    });
    if (isRepeated) return { ...noEffects, ...app };
    const reclaimed = await replaceIfReclaimed(query, stack, row);
    const events = [...folded, agentEvent(stack, row, reclaimed)];
    const isKnown = stack.view.instances.some(({ id }) => id === row.instance_id);
    const isFirst = row.instance_id !== '' && before?.instance_id !== row.instance_id;
    const awaited = isFirst && (await wakeIfAwaited(service, query, { stack, isKnown }));
    return {
      events: await addReportedEvents(service, query, {
        stack,
        now,
        events,
        isUrgent: reclaimed && isKnown,
      }),
      wokeStack: reclaimed || awaited || app.wokeStack,
      isChanged: app.isChanged,
    };
  };
  return handleReport(service, actor, { stackId, handle });
}

/** Nothing of another stack is replaced. An instance that no pass has seen yet is known by its agent. */
async function refuseForeignInstance(query: Query, stack: StackRow, instanceId: string): Promise<void> {
  if (stack.view.instances.some(({ id }) => id === instanceId)) return;
  if ((await listReportedInstances(query, stack.id)).includes(instanceId)) return;
  throw notFound('Instance', instanceId, { description: `It is not an instance of stack ${stack.id}.` });
}

const rowOf = (report: AgentReport, before: AgentRow | undefined, now: number): AgentRow => ({
  stack_id: report.stackId,
  agent_id: report.agentId,
  instance_id: report.instanceId || before?.instance_id || '',
  status: readStatus(report.status),
  message: sanitizeText(report.message ?? '', maxMessageLength),
  updated_at: now,
  sends_logs: report.sendsLogs ? 1 : 0,
  app_digest: digestOfApp(report.app),
});

const isSameReport = (one: AgentRow, other: AgentRow): boolean =>
  one.status === other.status && one.message === other.message && one.instance_id === other.instance_id;

/** Only marks the instance: the reconciler calls the vendor, because it knows whether the instance still exists. */
async function replaceIfReclaimed(query: Query, stack: StackRow, row: AgentRow): Promise<boolean> {
  if (row.status !== spotTermination || row.instance_id === '' || stack.operation === 'DELETE') return false;
  const isNew = await markForReplacement(query, {
    stackId: stack.id,
    instanceId: row.instance_id,
    now: row.updated_at,
  });
  if (isNew) await wakeStack(query, stack.id, row.updated_at);
  return isNew;
}

/** Servers that start together report together: one pass is enough for them. */
const togetherMs = 1_000;

/** A server that no pass has seen yet may have started since; whatever ids a program reports, passes stay rare. */
const unknownMs = 30_000;

/** Where operations wait for agents, the reconciler informs the vendor soon that this one has reported. */
async function wakeIfAwaited(
  { vendors, clock }: Service,
  query: Query,
  { stack, isKnown }: { stack: StackRow; isKnown: boolean },
): Promise<boolean> {
  const { id, account_id: accountId, vendor, credential_id: credentialId, operation } = stack;
  if (operation === 'DELETE') return false;
  const credential = await findCredential(query, { accountId, vendor, id: credentialId });
  const isRolling = isInProgress(stack.status) && stack.health !== 'none';
  if (!isRolling && !vendors.get(credential?.driver ?? '')?.awaitsAgents) return false;
  const now = clock.now();
  if (isKnown) await wakeStackSoon(query, id, { now, at: now + togetherMs });
  else await lookAtStackBy(query, id, now + unknownMs);
  return true;
}

function agentEvent(stack: StackRow, row: AgentRow, willBeReplaced: boolean): NewEvent {
  const where = row.instance_id ? ` on instance ${row.instance_id}` : '';
  const message = row.message ? `: ${row.message}` : '.';
  const notice = row.instance_id
    ? 'The cloud is reclaiming this instance.'
    : 'The report does not name the instance the cloud is reclaiming, so nothing is replaced.';
  const consequence = row.status === spotTermination ? ` ${notice}` : '';
  const replacement = willBeReplaced ? ' A replacement will be requested.' : '';
  return {
    at: row.updated_at,
    kind: 'agent',
    resource: row.instance_id || row.agent_id,
    resourceType: 'Agent',
    status: row.status,
    message: `Agent ${row.agent_id}${where} reports ${row.status}${message}${consequence}${replacement}`,
    versionId: stack.desired_version,
  };
}

export interface SpotShutdown {
  stackId: string;
  instanceId: string;
  userId?: string | undefined;
}

/** Reported by an add-on that knows the instance but no agent, so the instance id replaces the agent id. */
export async function reportSpotShutdown(
  service: Service,
  actor: Actor,
  { stackId, instanceId, userId }: SpotShutdown,
): Promise<void> {
  if (userId && userId !== actor.accountId)
    throw new Failure('forbidden', 'RBAC response is limited.', {
      description: 'The user_id is not the account of this token.',
    });
  return reportAgentStatus(service, actor, {
    stackId,
    instanceId,
    agentId: instanceId,
    status: spotTermination,
    mustBeKnown: true,
  });
}
