import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** Whether a process listens on the socket. The socket of an agent that was killed refuses connections. */
const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/**
 * Two agents on one instance would remove each other's containers. The lock is a socket, which the operating system closes
 * however the agent ends. Returns a function that unlocks.
 */
export async function lockInstance(stateDirectory: string): Promise<() => void> {
  const path = join(stateDirectory, 'lock');
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  if (await isListening(path)) throw new Error('Another agent is already running on this instance.');
  await rm(path, { force: true });
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return () => void server.close();
}
