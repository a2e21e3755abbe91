import type { TerminalTicketRow } from '../../store/ssh/terminal-tickets.ts';
import { findStackById } from '../../store/stacks/stacks.ts';
import { actorBehind } from '../access/access.ts';
import { mayOnStack } from '../access/permission.ts';
import type { Service } from '../service.ts';
import { sshOptions } from './options.ts';
import { sshAction } from './target.ts';

export interface Watched {
  ticket: TerminalTicketRow;
  start: number;
  lastUsed: () => number;
  end: (reason: string) => void;
}

/** While the database is away nobody can be asked; so often that is overlooked. */
const maxUnanswered = 5;

/** Why whoever opened the terminal may no longer have it; null: they may. */
async function whyNoLonger(service: Service, ticket: TerminalTicketRow): Promise<string | null> {
  const { query } = service.database;
  const stack = await findStackById(query, ticket.stack_id);
  if (!stack || stack.deleted_at !== null) return 'The stack was deleted';
  const actor = await actorBehind(service, ticket.token_hash);
  if (!actor) return 'The access token it was opened with has ended; sign in again';
  return (await mayOnStack(query, actor, sshAction, stack.id)) ? null : 'Your roles no longer allow it';
}

/** Why its time is up; null: it is not. */
function whyTooLong(service: Service, { start, lastUsed }: Watched): string | null {
  const { idleSeconds, longestSeconds } = sshOptions(service);
  const now = service.clock.now();
  if (now - lastUsed() >= idleSeconds * 1000) return `Nothing was typed or shown for ${idleSeconds} s`;
  return now - start >= longestSeconds * 1000
    ? `No terminal stays open longer than ${longestSeconds} s`
    : null;
}

/** Ends a terminal when its time is up, when whoever opened it no longer may, and when the server stops. */
export function watchTerminal(service: Service, watched: Watched): () => void {
  const { idleSeconds, longestSeconds, recheckSeconds } = sshOptions(service);
  const everyMs = Math.min(idleSeconds, longestSeconds, recheckSeconds) * 1000;
  let [over, unanswered] = [false, 0];
  let cancel = () => {};
  const look = async (): Promise<void> => {
    const reason = whyTooLong(service, watched) ?? (await whyNoLonger(service, watched.ticket));
    if (reason !== null) watched.end(reason);
    unanswered = 0;
  };
  const couldNot = () => {
    unanswered += 1;
    if (unanswered >= maxUnanswered) watched.end('It cannot be checked whether you still may');
  };
  const lookLater = () => {
    if (!over) cancel = service.clock.after(everyMs, () => void look().catch(couldNot).then(lookLater));
  };
  const stop = () => watched.end('The server is stopping; open a new terminal');
  service.stopping.addEventListener('abort', stop);
  lookLater();
  if (service.stopping.aborted) stop();
  return () => {
    over = true;
    cancel();
    service.stopping.removeEventListener('abort', stop);
  };
}
