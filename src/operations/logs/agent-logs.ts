import type { LogLine } from '../../basics/text/log-line.ts';
import type { Actor } from '../access/access.ts';
import { findStackOfAgent } from '../agents/stack-of-agent.ts';
import type { Service } from '../service.ts';
import { cleanText } from './clean-text.ts';
import { logDeskOf } from './desk.ts';
import { type LogRequest, partsOf } from './notices.ts';

/** Whether someone waits for logs of the stack. Agents learn it with their configuration, so that nobody asks otherwise. */
export const areLogsWanted = (service: Service, stackId: string): boolean =>
  logDeskOf(service).isWanted(stackId);

export interface AgentQuestion {
  stackId: string;
  instanceId: string;
  /** Ids of the requests that the agent already serves. */
  known: readonly string[];
}

export interface AgentAnswer {
  requests: readonly LogRequest[];
  /** Known requests that are over. One that is only missing may be listed again, after a restart of a server. */
  over: readonly string[];
}

/** The requests for logs of an instance. Waits some time while they are those that the agent knows. */
export async function awaitLogRequests(
  service: Service,
  actor: Actor,
  { stackId, instanceId, known }: AgentQuestion,
): Promise<AgentAnswer> {
  await findStackOfAgent(service.database.query, actor, { stackId, purpose: 'report' });
  const desk = logDeskOf(service);
  const requests = await desk.awaitChange(stackId, instanceId, new Set(known));
  return { requests, over: known.filter((id) => desk.wasWithdrawn(id)) };
}

const maxProblemLength = 300;

export interface SentLogs {
  stackId: string;
  instanceId: string;
  requestId: string;
  batch: number;
  lines: readonly LogLine[];
  leftOut: number;
  isLast: boolean;
  problem: string;
}

/** Passes lines on to the server whose caller asked for them. False: nobody waits for them any more. */
export async function takeLogs(service: Service, actor: Actor, sent: SentLogs): Promise<boolean> {
  const { database } = service;
  const { stackId, instanceId, requestId } = sent;
  await findStackOfAgent(database.query, actor, { stackId, purpose: 'report' });
  const request = logDeskOf(service).find(requestId);
  if (request?.stackId !== stackId || !request.instances.includes(instanceId)) return false;
  const lines = sent.lines.map((line) => ({ ...line, text: cleanText(line.text) }));
  const message = { ...sent, lines, problem: cleanText(sent.problem.slice(0, maxProblemLength)) };
  for (const part of partsOf(message)) await database.notify('log-lines', JSON.stringify(part));
  return true;
}
