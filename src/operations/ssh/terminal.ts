import { Failure } from '../../basics/failure.ts';
import { openShell, type Screen, type Shell, type Size } from '../../ssh/shell.ts';
import type { TerminalTicketRow } from '../../store/ssh/terminal-tickets.ts';
import { actorBehind } from '../access/access.ts';
import type { Service } from '../service.ts';
import { asFailure, connectTo } from './connect.ts';
import { asSeconds, placeOf, recordFailure, recordSsh, type SshCaller, tellStack } from './record.ts';
import { acquireSlot } from './slots.ts';
import { chooseTarget, type SshTarget } from './target.ts';
import { watchTerminal } from './watch.ts';

/** How a terminal ended: its shell left, or it was cut off. */
export type TerminalEnd = { exitCode: number } | { reason: string };

export interface Terminal extends Omit<Shell, 'ended'> {
  title: string;
  /** Cuts it off. */
  end(reason: string): void;
  /** Settles when it is over and that has been recorded. */
  ended: Promise<TerminalEnd>;
}

export interface Opening {
  ticket: TerminalTicketRow;
  call: Pick<SshCaller, 'route' | 'request'>;
  screen: Screen;
  size: Size;
}

interface Admitted extends Opening {
  caller: SshCaller;
  target: SshTarget;
}

/** Looked up again: since the ticket was given, the token may have ended and the instance may be gone. */
async function admit(service: Service, opening: Opening): Promise<Admitted> {
  const { ticket, call } = opening;
  const actor = await actorBehind(service, ticket.token_hash);
  if (!actor) throw new Failure('unauthorized', 'The access token of this ticket has ended');
  const target = await chooseTarget(service, actor, ticket.stack_id, {
    instanceId: ticket.instance_id,
    ip: ticket.host,
    user: ticket.ssh_user,
  });
  return { ...opening, caller: { ...call, actor }, target };
}

/** A shell under watch: it can be cut off, and is when its time is up. */
async function openWatched(service: Service, { ticket, target, screen, size }: Admitted) {
  const { client } = await connectTo(service, target);
  const start = service.clock.now();
  let lastUsed = start;
  let cutOff: string | null = null;
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
    cutOff ??= reason;
    client.destroy(); // an instance that no longer answers must not be waited for
  };
  const unwatch = watchTerminal(service, { ticket, start, lastUsed: () => lastUsed, end });
  const over = shell.ended.then((exitCode): TerminalEnd => {
    unwatch();
    client.end();
    if (cutOff === null && exitCode !== null) return { exitCode };
    return { reason: cutOff ?? 'The connection to the instance was lost' };
  });
  const write = (bytes: Buffer) => {
    used();
    return shell.write(bytes);
  };
  return { ...shell, write, end, over, start };
}

async function recordEnd(service: Service, { caller, target }: Admitted, start: number, end: TerminalEnd) {
  const took = asSeconds(service.clock.now() - start);
  const how = 'reason' in end ? `cut off: ${end.reason}` : `exit code ${end.exitCode}`;
  const said = `had a terminal on ${placeOf(target)} for ${took}, ${how}`;
  await recordSsh(service, caller, target, { detail: said, status: 200 });
  await tellStack(service, caller.actor, target, `${said}.`);
}

async function openRecorded(service: Service, admitted: Admitted): Promise<Terminal> {
  const { caller, target } = admitted;
  const place = placeOf(target);
  await recordSsh(service, caller, target, { detail: `opens a terminal on ${place}`, status: 200 });
  const { over, start, ...shell } = await openWatched(service, admitted).catch(async (error: unknown) => {
    await recordFailure(service, caller, target, { tried: 'opened a terminal', error });
    throw error;
  });
  const ended = tellStack(service, caller.actor, target, `opened a terminal on ${place}.`)
    .catch(() => shell.end('It could not be recorded'))
    .then(() => over)
    .then(async (how) => {
      await recordEnd(service, admitted, start, how);
      return how;
    });
  const title = `${target.stack.nickname}: ${target.instanceId} (${target.user}@${target.host})`;
  return { ...shell, title, ended };
}

/** Opens the terminal a ticket was given for. Who, where and how long is in the audit log and the stack's events. */
export async function openTerminal(service: Service, opening: Opening): Promise<Terminal> {
  const admitted = await admit(service, opening);
  const leave = acquireSlot(service, admitted.caller.actor);
  try {
    const terminal = await openRecorded(service, admitted);
    return { ...terminal, ended: terminal.ended.finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}
