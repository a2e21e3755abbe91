import { createServer } from 'node:http';
import { join } from 'node:path';

interface PullingEngine {
  socket: string;
  /** Resolves at the first pull. */
  pulling: Promise<void>;
  close(): Promise<void>;
}

/** A container engine that has no image and whose pulls never end. */
export async function startPullingEngine(folder: string): Promise<PullingEngine> {
  const socket = join(folder, 'engine.sock');
  let startPull = (): void => {};
  const pulling = new Promise<void>((resolve) => {
    startPull = resolve;
  });
  const server = createServer(({ method, url = '' }, reply) => {
    if (url.includes('/containers/json')) reply.end('[]');
    else if (method === 'GET' && url.includes('/images/')) reply.writeHead(404).end('{"message":"no image"}');
    else if (!url.includes('/images/create')) reply.end('{"ApiVersion":"1.41"}');
    else {
      reply.write('{"status":"Pulling"}\n');
      startPull();
    }
  });
  await new Promise<void>((done) => server.listen(socket, done));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { socket, pulling, close };
}
