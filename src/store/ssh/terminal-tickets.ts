import type { Insertable, Selectable } from 'kysely';
import type { Query } from '../database/database.ts';
import type { TerminalTicketTable } from '../database/ssh-tables.ts';

export type TerminalTicketRow = Selectable<TerminalTicketTable>;

export const insertTerminalTicket = async (
  query: Query,
  ticket: Insertable<TerminalTicketTable>,
): Promise<void> => {
  await query.insertInto('terminal_tickets').values(ticket).execute();
};

/** Deletes the ticket in one statement: only one of two concurrent requests gets it. */
export const takeTerminalTicket = (
  query: Query,
  hash: string,
  now: number,
): Promise<TerminalTicketRow | undefined> =>
  query
    .deleteFrom('terminal_tickets')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();

export const deleteExpiredTerminalTickets = async (query: Query, now: number): Promise<void> => {
  await query.deleteFrom('terminal_tickets').where('expires_at', '<=', now).execute();
};
