import { gatewayRoutes } from '../../contract/gateway.ts';
import type { Route } from '../../contract/route.ts';
import { v3Routes } from '../../contract/v3.ts';
import { digest } from '../../operations/access/secret-hash.ts';
import type { Service } from '../../operations/service.ts';
import { openTerminal } from '../../operations/ssh/terminal.ts';
import { takeTicket } from '../../operations/ssh/ticket.ts';
import { TerminalBridge } from './bridge.ts';
import { gottyProtocol, plainProtocol, type TerminalProtocol } from './protocols.ts';
import type { SocketBinding, SocketInput } from './upgrade.ts';

/** Distinguishes existing clients from other visitors of the URL, as far as their protocol allows. */
export const gottyToken = (ticket: string): string => digest(`gateway ${ticket}`).slice(0, 40);

type SocketRoute = Extract<(typeof v3Routes | typeof gatewayRoutes)[number], { webSocket: true }>;

const isSocketRoute = (route: Route): route is SocketRoute => route.webSocket === true;

const protocols: Readonly<Record<SocketRoute['name'], (ticket: string) => TerminalProtocol>> = {
  v3OpenTerminal: () => plainProtocol,
  gatewayTtySocket: (ticket) => gottyProtocol(gottyToken(ticket)),
};

/** The ticket is a path parameter of one route and a query parameter of the other. */
const ticketIn = ({ params, query }: SocketInput): string =>
  ({ ...(query as { ticket: string }), ...(params as { ticket: string }) }).ticket;

/** Serves terminals over WebSockets, in our own frames and in those of existing clients. */
export const terminalSockets = (service: Service, onError: (error: unknown) => void): SocketBinding[] =>
  [...v3Routes, ...gatewayRoutes].filter(isSocketRoute).map((route) => ({
    route,
    admit: async (input) => {
      const secret = ticketIn(input);
      const ticket = await takeTicket(service, secret);
      const { clock, stopping } = service;
      const call = { route, request: input.request };
      const size = { columns: ticket.width, rows: ticket.height };
      return (socket) =>
        void new TerminalBridge(socket, {
          protocol: protocols[route.name](secret),
          open: (screen) => openTerminal(service, { ticket, call, screen, size }),
          clock,
          stopping,
          onError,
        });
    },
  }));
