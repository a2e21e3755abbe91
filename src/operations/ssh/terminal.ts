import { Failure } from '../../basics/failure.ts';
import { openShell, type Screen, type Shell, type Size } from '../../ssh/shell.ts';
import type { TerminalTicketRow } from '../../store/ssh/terminal-tickets.ts';
import { actorBehind } from '../access/access.ts';
import type { Service } from '../service.ts';
import {
  addSshEvent,
  asSeconds,
  auditSsh,
  placeOf,
  recordFailure,
  recordSsh,
  type SshCaller,
  type SshSession,
} from './activity-log.ts';
import { asFailure, connectTo } from './connect.ts';
import { acquireSlot } from './connection-slots.ts';
import { chooseTarget } from './target.ts';
import { enforceLimits } from './terminal-limits.ts';

/** How a terminal ended: its shell exited, or it was disconnected. */
export type TerminalEnd = { exitCode: number } | { reason: string };

export interface Terminal extends Omit<Shell, 'ended'> {
  title: string;
  /** Disconnects it. */
  end(reason: string): void;
  /** Settles when the terminal has ended and the end is recorded. */
  ended: Promise<TerminalEnd>;
}

export interface TerminalRequest {
  ticket: TerminalTicketRow;
  call: Pick<SshCaller, 'route' | 'request'>;
  screen: Screen;
  size: Size;
}

type AdmittedRequest = TerminalRequest & SshSession;

/** Checks again: since the ticket was issued, the token may have expired and the instance may have been replaced. */
async function admit(service: Service, request: TerminalRequest): Promise<AdmittedRequest> {
  const { ticket, call } = request;
  const actor = await actorBehind(service, ticket.token_hash);
  if (!actor) throw new Failure('unauthorized', 'The access token of this ticket is no longer valid');
  const target = await chooseTarget(service, actor, {
    stackId: ticket.stack_id,
    instanceId: ticket.instance_id,
    ip: ticket.host,
    user: ticket.ssh_user,
  });
  return { ...request, caller: { ...call, actor }, target };
}

/** Opens a shell that is disconnected when its limits are exceeded. */
async function openLimited(service: Service, { ticket, target, screen, size }: AdmittedRequest) {
  const { client } = await connectTo(service, target);
  const start = service.clock.now();
  let lastUsed = start;
  let disconnectReason: string | null = null;
  const used = () => (lastUsed = service.clock.now());
  const output = (bytes: Buffer) => {
    used();
    screen.output(bytes);
  };
  const shell = await openShell(client, size, { ...screen, output }).catch((error: unknown) => {
    client.end();
    throw asFailure(target, error);
  });
  const end = (reason: string) => {
    disconnectReason ??= reason;
    client.destroy(); // does not wait for an instance that no longer responds
  };
  const stopChecks = enforceLimits(service, { ticket, start, lastUsed: () => lastUsed, end });
  const over = shell.ended.then((exitCode): TerminalEnd => {
    stopChecks();
    client.end();
    if (disconnectReason === null && exitCode !== null) return { exitCode };
    return { reason: disconnectReason ?? 'The connection to the instance was lost' };
  });
  const write = (bytes: Buffer) => {
    used();
    return shell.write(bytes);
  };
  return { ...shell, write, end, over, start };
}

function recordEnd(
  service: Service,
  session: SshSession,
  { start, end }: { start: number; end: TerminalEnd },
): Promise<void> {
  const duration = asSeconds(service.clock.now() - start);
  const how = 'reason' in end ? `disconnected: ${end.reason}` : `exit code ${end.exitCode}`;
  const detail = `had a terminal on ${placeOf(session.target)} for ${duration}, ${how}`;
  return recordSsh(service, session, { detail, status: 200 });
}

async function openRecorded(service: Service, admitted: AdmittedRequest): Promise<Terminal> {
  const { caller, target } = admitted;
  const session = { caller, target };
  const place = placeOf(target);
  await auditSsh(service, session, { detail: `opens a terminal on ${place}`, status: 200 });
  const { over, start, ...shell } = await openLimited(service, admitted).catch(async (error: unknown) => {
    await recordFailure(service, session, { action: 'open a terminal', error });
    throw error;
  });
  const ended = addSshEvent(service, caller.actor, { ...target, action: `opened a terminal on ${place}.` })
    .catch(() => shell.end('The terminal could not be recorded'))
    .then(() => over)
    .then(async (end) => {
      await recordEnd(service, session, { start, end });
      return end;
    });
  const title = `${target.stack.nickname}: ${target.instanceId} (${target.user}@${target.host})`;
  return { ...shell, title, ended };
}

/** Opens the terminal of a ticket. The audit log and the stack's events record who, where and how long. */
export async function openTerminal(service: Service, request: TerminalRequest): Promise<Terminal> {
  const admitted = await admit(service, request);
  const releaseSlot = acquireSlot(service, admitted.caller.actor);
  try {
    const terminal = await openRecorded(service, admitted);
    return { ...terminal, ended: terminal.ended.finally(releaseSlot) };
  } catch (error) {
    releaseSlot();
    throw error;
  }
}
