import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { realClock } from '../../basics/clock.ts';

/** Connections opened in advance, as browsers and balancers do; a request just under way has arrived by then. */
const silentMs = 500;
/** Whoever is not finished by then is cut off: those who stop us do not wait for ever either. */
const graceMs = 10_000;

const openSockets = (app: FastifyInstance): Set<Socket> => {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
};

/** While stopping, requests in progress finish and then every connection is told to end. */
export const stopGracefully = (app: FastifyInstance): (() => boolean) => {
  let stopping = false;
  const sockets = openSockets(app);
  const closeSilent = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  app.addHook('preClose', async () => {
    stopping = true;
    if (!app.server.listening) return;
    app.server.once('close', realClock.after(silentMs, closeSilent));
    app.server.once(
      'close',
      realClock.after(graceMs, () => app.server.closeAllConnections()),
    );
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  return () => stopping;
};
