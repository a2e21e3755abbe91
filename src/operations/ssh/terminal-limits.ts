import type { TerminalTicketRow } from '../../store/ssh/terminal-tickets.ts';
import { findStackById } from '../../store/stacks/stacks.ts';
import { actorBehind } from '../access/access.ts';
import { mayOnStack } from '../access/permission.ts';
import type { Service } from '../service.ts';
import { sshOptions } from './options.ts';
import { sshAction } from './target.ts';

interface OpenTerminal {
  ticket: TerminalTicketRow;
  start: number;
  lastUsed: () => number;
  end: (reason: string) => void;
}

/** Consecutive checks that may fail, for example during a database outage, before the terminal ends. */
const maxFailedChecks = 5;

/** Returns why the terminal is no longer permitted; null if it still is. */
async function permissionLost(service: Service, ticket: TerminalTicketRow): Promise<string | null> {
  const { query } = service.database;
  const stack = await findStackById(query, ticket.stack_id);
  if (!stack || stack.deleted_at !== null) return 'The stack was deleted';
  const actor = await actorBehind(service, ticket.token_hash);
  if (!actor) return 'The access token of this terminal is no longer valid; sign in again';
  const isAllowed = await mayOnStack(query, actor, { action: sshAction, stackId: stack.id });
  return isAllowed ? null : 'Your roles no longer allow it';
}

/** Returns which time limit is exceeded; null if none is. */
function timeExceeded(service: Service, { start, lastUsed }: OpenTerminal): string | null {
  const { idleSeconds, maxSeconds } = sshOptions(service);
  const now = service.clock.now();
  if (now - lastUsed() >= idleSeconds * 1000) return `No input or output for ${idleSeconds} s`;
  return now - start >= maxSeconds * 1000 ? `The time limit of ${maxSeconds} s is reached` : null;
}

/**
 * Ends a terminal when a time limit is exceeded, when the permission is lost, and when the server stops. Returns a function
 * that stops the checks.
 */
export function enforceLimits(service: Service, terminal: OpenTerminal): () => void {
  const { idleSeconds, maxSeconds, recheckSeconds } = sshOptions(service);
  const intervalMs = Math.min(idleSeconds, maxSeconds, recheckSeconds) * 1000;
  let [isOver, failedChecks] = [false, 0];
  let cancel = () => {};
  const check = async (): Promise<void> => {
    const reason = timeExceeded(service, terminal) ?? (await permissionLost(service, terminal.ticket));
    if (reason !== null) terminal.end(reason);
    failedChecks = 0;
  };
  const checkFailed = () => {
    failedChecks += 1;
    if (failedChecks >= maxFailedChecks) terminal.end('Your permission cannot be checked');
  };
  const scheduleCheck = () => {
    if (!isOver)
      cancel = service.clock.after(intervalMs, () => void check().catch(checkFailed).then(scheduleCheck));
  };
  const stop = () => terminal.end('The server is stopping; open a new terminal');
  service.stopping.addEventListener('abort', stop);
  scheduleCheck();
  if (service.stopping.aborted) stop();
  return () => {
    isOver = true;
    cancel();
    service.stopping.removeEventListener('abort', stop);
  };
}
