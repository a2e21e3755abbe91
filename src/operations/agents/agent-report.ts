import { Failure } from '../../basics/failure.ts';
import type { Query } from '../../store/database/database.ts';
import { type AgentRow, findAgent, saveAgent } from '../../store/stacks/agents.ts';
import { findContainer, saveContainer } from '../../store/stacks/containers.ts';
import { addEvents, type NewEvent } from '../../store/stacks/events.ts';
import { markForReplacement } from '../../store/stacks/replacements.ts';
import { wakeStack } from '../../store/stacks/schedule.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { reportedText } from './reported-text.ts';
import { findStackOfAgent } from './stack-of-agent.ts';

export interface AgentReport {
  stackId: string;
  agentId: string;
  status: string;
  instanceId?: string | undefined;
  message?: string | undefined;
}

export interface ContainerReport extends Omit<AgentReport, 'message'> {
  containerId: string;
}

const longestStatus = 255;
const longestMessage = 2000;
const spotTermination = 'spot_terminate';

const readStatus = (status: string): string => {
  const words = reportedText(status, longestStatus);
  if (words !== '') return words;
  throw new Failure('invalid_request', 'status must not be empty');
};

/** What a report led to, so that the right ones are told after the transaction. */
interface Noted {
  events: number;
  woken: boolean;
}

/**
 * Agents repeat themselves, every minute or faster. A repeat only moves the time of the row; what changed
 * becomes an event.
 */
async function report(
  service: Service,
  actor: Actor,
  stackId: string,
  note: (query: Query, stack: StackRow, now: number) => Promise<Noted>,
): Promise<void> {
  const { database, clock } = service;
  const noted = await database.transaction(async (query) => {
    await database.lock(query, `agents of ${stackId}`);
    return note(query, await findStackOfAgent(query, actor, stackId, 'report'), clock.now());
  });
  if (noted.events > 0) await database.notify('stack-event', stackId);
  if (noted.woken) await database.notify('stack-due', stackId);
}

export async function reportAgentStatus(service: Service, actor: Actor, given: AgentReport): Promise<void> {
  const status = readStatus(given.status);
  return report(service, actor, given.stackId, async (query, stack, now) => {
    const before = await findAgent(query, stack.id, given.agentId);
    const row: AgentRow = {
      stack_id: stack.id,
      agent_id: given.agentId,
      instance_id: given.instanceId || before?.instance_id || '',
      status,
      message: reportedText(given.message ?? '', longestMessage),
      updated_at: now,
    };
    await saveAgent(query, row);
    if (before && saysTheSame(before, row)) return { events: 0, woken: false };
    const woken = await replaceIfTakenBack(query, stack, row);
    return { events: await addEvents(query, stack.id, [agentEvent(stack, row, woken)]), woken };
  });
}

const saysTheSame = (one: AgentRow, other: AgentRow): boolean =>
  one.status === other.status && one.message === other.message && one.instance_id === other.instance_id;

/** The vendor is asked by the reconciler, which can see whether the instance is there; here it is only written down. */
async function replaceIfTakenBack(query: Query, stack: StackRow, row: AgentRow): Promise<boolean> {
  if (row.status !== spotTermination || row.instance_id === '' || stack.operation === 'DELETE') return false;
  const isNew = await markForReplacement(query, {
    stackId: stack.id,
    instanceId: row.instance_id,
    now: row.updated_at,
  });
  if (isNew) await wakeStack(query, stack.id, row.updated_at);
  return isNew;
}

function agentEvent(stack: StackRow, row: AgentRow, willBeReplaced: boolean): NewEvent {
  const where = row.instance_id ? ` on instance ${row.instance_id}` : '';
  const said = row.message ? `: ${row.message}` : '.';
  const notice = row.instance_id
    ? 'The cloud takes this instance back.'
    : 'It did not say which instance the cloud takes back, so nothing is replaced.';
  const consequence = row.status === spotTermination ? ` ${notice}` : '';
  const promise = willBeReplaced ? ' A replacement will be asked for.' : '';
  return {
    at: row.updated_at,
    kind: 'agent',
    resource: row.instance_id || row.agent_id,
    resourceType: 'Agent',
    status: row.status,
    message: `Agent ${row.agent_id}${where} reports ${row.status}${said}${consequence}${promise}`,
    versionId: stack.desired_version,
  };
}

export async function reportContainerStatus(
  service: Service,
  actor: Actor,
  given: ContainerReport,
): Promise<void> {
  const status = readStatus(given.status);
  return report(service, actor, given.stackId, async (query, stack, now) => {
    const before = await findContainer(query, stack.id, given.containerId);
    const instanceId = given.instanceId || before?.instance_id || '';
    await saveContainer(query, {
      stack_id: stack.id,
      container_id: given.containerId,
      account_id: stack.account_id,
      agent_id: given.agentId,
      instance_id: instanceId,
      status,
      updated_at: now,
    });
    if (before?.status === status) return { events: 0, woken: false };
    const where = instanceId ? ` on instance ${instanceId}` : '';
    const event: NewEvent = {
      at: now,
      kind: 'agent',
      resource: given.containerId,
      resourceType: 'Container',
      status,
      message: `Container ${given.containerId}${where} is reported as ${status}.`,
      versionId: stack.desired_version,
    };
    return { events: await addEvents(query, stack.id, [event]), woken: false };
  });
}

export interface SpotShutdown {
  stackId: string;
  instanceId: string;
  userId?: string | undefined;
}

/** From an add-on that knows the instance but no agent, so the instance stands in for it. */
export async function reportSpotShutdown(service: Service, actor: Actor, given: SpotShutdown): Promise<void> {
  if (given.userId && given.userId !== actor.accountId)
    throw new Failure('forbidden', 'RBAC response is limited.', {
      description: 'The user_id is not the one this token belongs to.',
    });
  const { stackId, instanceId } = given;
  return reportAgentStatus(service, actor, {
    stackId,
    instanceId,
    agentId: instanceId,
    status: spotTermination,
  });
}
