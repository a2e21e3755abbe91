import { ttySocket } from '../../contract/gateway.ts';
import type { Route } from '../../contract/route.ts';
import { openTerminal as openTerminalRoute } from '../../contract/v3/ssh.ts';
import { digest } from '../../operations/access/secret-hash.ts';
import type { Service } from '../../operations/service.ts';
import { openTerminal } from '../../operations/ssh/terminal.ts';
import { takeTicket } from '../../operations/ssh/ticket.ts';
import { TerminalBridge } from './bridge.ts';
import type { SocketBinding, SocketInput } from './upgrade.ts';
import { gottyWire, plainWire, type Wire } from './wires.ts';

type Failed = (error: unknown) => void;

/** Tells existing clients apart from strangers who found the address, as far as their protocol can. */
export const gottyToken = (ticket: string): string => digest(`gateway ${ticket}`).slice(0, 40);

/** Both routes name it so; one in its path, the other in its query. */
const ticketIn = ({ params, query }: SocketInput): string =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the routes have checked it
  ({ ...(query as { ticket: string }), ...(params as { ticket: string }) }).ticket;

const bindSocket = (
  service: Service,
  failed: Failed,
  route: Route,
  wireFor: (ticket: string) => Wire,
): SocketBinding => ({
  route,
  admit: async (input) => {
    const secret = ticketIn(input);
    const ticket = await takeTicket(service, secret);
    const { clock, stopping } = service;
    const call = { route, request: input.request };
    const size = { columns: ticket.width, rows: ticket.height };
    return (socket) =>
      void new TerminalBridge(socket, {
        wire: wireFor(secret),
        open: (screen) => openTerminal(service, { ticket, call, screen, size }),
        clock,
        stopping,
        failed,
      });
  },
});

/** Terminals over WebSockets: in our own frames, and in those existing clients know. */
export const terminalSockets = (service: Service, failed: Failed): SocketBinding[] => [
  bindSocket(service, failed, openTerminalRoute, () => plainWire),
  bindSocket(service, failed, ttySocket, (ticket) => gottyWire(gottyToken(ticket))),
];
