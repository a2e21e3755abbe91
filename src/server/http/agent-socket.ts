import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';

const socketAddress = 'agent-socket';

/**
 * Serves the API on a Unix socket, so that instances that are containers on this machine can reach it even if the server
 * listens on loopback only. Callers still need a token.
 */
export async function listenOnSocket(app: FastifyInstance, path: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true }); // left by a server that was killed
  const server = createServer((request, response) => app.server.emit('request', request, response));
  // Unix sockets have no remote address; rate limits, logs and the audit log need one.
  server.on('connection', (socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: socketAddress }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o666);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(path, { force: true });
  };
}
