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
import { lastingHash } from '../access/actor.ts';
import { digest } from '../access/secret-hash.ts';
import { signedInUser } from '../access/users.ts';
import type { Service } from '../service.ts';
import { chooseTarget, type TargetRequest } from './target.ts';

export const ticketSeconds = 60;

const defaultSize: Size = { columns: 80, rows: 24 };

/** Issues a ticket that opens one terminal on one instance, within a minute. Only its digest is stored. */
export async function createTicket(
  service: Service,
  actor: Actor,
  request: TargetRequest & Partial<Size>,
): Promise<string> {
  const tokenHash = lastingHash(signedInUser(actor)) ?? '';
  const { host, user, instanceId } = await chooseTarget(service, actor, request);
  const ticket = randomText(43);
  const now = service.clock.now();
  await service.database.transaction(async (query) => {
    await deleteExpiredTerminalTickets(query, now);
    await insertTerminalTicket(query, {
      hash: digest(ticket),
      stack_id: request.stackId,
      instance_id: instanceId,
      host,
      ssh_user: user,
      width: request.columns ?? defaultSize.columns,
      height: request.rows ?? defaultSize.rows,
      token_hash: tokenHash,
      expires_at: now + ticketSeconds * 1000,
    });
  });
  return ticket;
}

/** Consumes a ticket. */
export async function takeTicket(service: Service, ticket: string): Promise<TerminalTicketRow> {
  const row = await takeTerminalTicket(service.database.query, digest(ticket), service.clock.now());
  if (row) return row;
  throw new Failure('unauthorized', 'This ticket is invalid, expired or already used', {
    description: 'Request a new one with POST /v3/alm/stack/{stack_id}/terminal.',
  });
}
