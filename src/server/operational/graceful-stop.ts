import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { realClock } from '../../basics/clock.ts';

/** Time after which connections that never sent a request are closed. Browsers and load balancers open such connections. */
const unusedConnectionMs = 500;
/** Time after which requests in progress are aborted: process managers do not wait forever either. */
const graceMs = 5_000;

const openSockets = (app: FastifyInstance): Set<Socket> => {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
};

/** While the server stops, requests in progress finish and every reply closes its connection. */
export const stopGracefully = (app: FastifyInstance): (() => boolean) => {
  let stopping = false;
  const sockets = openSockets(app);
  const closeUnused = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  app.addHook('preClose', async () => {
    stopping = true;
    if (!app.server.listening) return;
    app.server.once('close', realClock.after(unusedConnectionMs, closeUnused));
    app.server.once(
      'close',
      realClock.after(graceMs, () => app.server.closeAllConnections()),
    );
  });
  app.addHook('onSend', (_request, reply, ...[, done]) => {
    if (stopping) reply.header('connection', 'close');
    done();
  });
  return () => stopping;
};
