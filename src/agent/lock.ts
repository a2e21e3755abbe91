import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** Whether somebody answers on the socket. One that was left by an agent that was killed does not. */
const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/**
 * Two agents on one instance would take away each other's containers. The lock is a socket, which the system closes
 * however the agent ends. Gives how to unlock.
 */
export async function lockInstance(stateDirectory: string): Promise<() => void> {
  const path = join(stateDirectory, 'lock');
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  if (await answers(path)) throw new Error('Another agent runs on this instance already.');
  await rm(path, { force: true });
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return () => void server.close();
}
