import { Failure } from '../../basics/failure.ts';
import { randomText } from '../../basics/random.ts';
import type { Size } from '../../ssh/shell.ts';
import {
  deleteExpiredTerminalTickets,
  insertTerminalTicket,
  type TerminalTicketRow,
  takeTerminalTicket,
} from '../../store/ssh/terminal-tickets.ts';
import type { Actor } from '../access/access.ts';
import { digest } from '../access/secret-hash.ts';
import { signedInUser } from '../access/users.ts';
import type { Service } from '../service.ts';
import { type AskedTarget, chooseTarget } from './target.ts';

export const ticketSeconds = 60;

export const usualSize: Size = { columns: 80, rows: 24 };

/** Lets its holder open one terminal on one instance, within a minute. Kept as a digest, for every server to find. */
export async function createTicket(
  service: Service,
  actor: Actor,
  stackId: string,
  asked: AskedTarget & Partial<Size>,
): Promise<string> {
  const { tokenHash = '' } = signedInUser(actor);
  const { host, user, instanceId } = await chooseTarget(service, actor, stackId, asked);
  const ticket = randomText(43);
  const now = service.clock.now();
  await service.database.transaction(async (query) => {
    await deleteExpiredTerminalTickets(query, now);
    await insertTerminalTicket(query, {
      hash: digest(ticket),
      stack_id: stackId,
      instance_id: instanceId,
      host,
      ssh_user: user,
      width: asked.columns ?? usualSize.columns,
      height: asked.rows ?? usualSize.rows,
      token_hash: tokenHash,
      expires_at: now + ticketSeconds * 1000,
    });
  });
  return ticket;
}

/** Uses a ticket up. */
export async function takeTicket(service: Service, ticket: string): Promise<TerminalTicketRow> {
  const row = await takeTerminalTicket(service.database.query, digest(ticket), service.clock.now());
  if (row) return row;
  throw new Failure('unauthorized', 'This ticket was used, has expired, or never was', {
    description: 'Ask for a new one at POST /v3/alm/stack/{stack_id}/terminal.',
  });
}
