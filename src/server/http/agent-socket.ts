import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';

const callerOnSocket = 'agent-socket';

/**
 * The same interface on a socket file. Instances that are containers of this machine reach it there, also when the
 * server itself listens on loopback only. Whoever may open the file still needs a token.
 */
export async function listenOnSocket(app: FastifyInstance, path: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true }); // left behind by a server that was killed
  const server = createServer((request, response) => app.server.emit('request', request, response));
  // Who calls there has no address; limits, logs and the audit log want a word for it.
  server.on('connection', (socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: callerOnSocket }),
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
