import { connect } from 'node:net';
import { type Clock, realClock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import type { RunningRegistry } from './running-registry.ts';

const readySeconds = 30;

/** Whether a program listens there. */
export const isTaken = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const answer = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });

/** The status and token service of a registry; null: it does not answer. */
async function ask(url: string): Promise<{ status: number; challenge: string } | null> {
  try {
    const response = await fetch(`${url}/v2/`, { signal: AbortSignal.timeout(2000) });
    await response.arrayBuffer();
    return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '' };
  } catch {
    return null;
  }
}

const failed = (log: string): Error =>
  new Error(`The registry ended at once. The end of its log:\n${log || '(empty)'}`);

/** Waits until the registry answers, and sends clients to our token service. */
export async function waitUntilReady(
  registry: RunningRegistry,
  { url, realm }: { url: string; realm: string },
  clock: Clock = realClock,
): Promise<void> {
  let log: string | undefined;
  void registry.ended.then((text) => (log = text));
  const deadline = clock.now() + readySeconds * 1000;
  for (;;) {
    const answer = await ask(url);
    if (log !== undefined) throw failed(log);
    if (answer?.status === 401 && answer.challenge.includes(`realm="${realm}"`)) return;
    if (answer) throw new Error(`Another service answers at ${url}, with status ${answer.status}.`);
    if (clock.now() > deadline)
      throw new Error(`The registry does not answer at ${url} after ${readySeconds} s.`);
    await pause(clock, 50);
  }
}
