import type { Clock } from '../basics/clock.ts';
import type { ContainerDetails } from '../docker-engine/container-types.ts';
import type { Engine } from '../docker-engine/types.ts';
import { addressOf } from './app-container.ts';
import { connected } from './forwarder.ts';
import { pause } from './pause.ts';

export interface HealthCheck {
  clock: Clock;
  engine: Engine;
  network: string | null;
  ports: readonly number[];
  seconds: number;
  signal: AbortSignal;
}

/** Started again so often, a container is not going to come up. */
const mostRestarts = 5;
/** A container without ports is well when it has run for so long. */
const steadySeconds = 2;
const betweenLooks = 0.25;
const shownLines = 5;

async function closedPort(check: HealthCheck, details: ContainerDetails): Promise<number | undefined> {
  const address = addressOf(details, check.network);
  for (const port of check.ports) {
    const socket = address === '' ? undefined : await connected(check.clock, address, port);
    if (!socket) return port;
    socket.destroy();
  }
  return undefined;
}

const hasRunSteadily = (check: HealthCheck, { startedAt }: ContainerDetails): boolean =>
  check.ports.length > 0 || check.clock.now() - (startedAt ?? check.clock.now()) >= steadySeconds * 1000;

const isOver = ({ state, restartCount }: ContainerDetails): boolean =>
  restartCount >= mostRestarts || state === 'dead' || state === 'removing';

/** Why a container does not serve, with the last it wrote, which usually says it best. */
async function describeTrouble(
  check: HealthCheck,
  details: ContainerDetails,
  port?: number,
): Promise<string> {
  const { exitCode, restartCount, error, outOfMemory, state } = details;
  const exits = `ended with exit code ${exitCode ?? 'unknown'} and was started again ${restartCount} times`;
  const reason =
    restartCount > 0 || state !== 'running'
      ? `The container ${exits}${outOfMemory ? ', for want of memory' : ''}.${error === '' ? '' : ` ${error}.`}`
      : `The container did not accept connections on port ${port} within ${check.seconds} s.`;
  const written = await check.engine.containers.logs(details.id, shownLines).catch(() => '');
  return written.trim() === '' ? reason : `${reason} It wrote: ${written.trim()}`;
}

/** Waits until all ports accept connections. Throws a sentence when they do not in time. */
export async function waitUntilHealthy(check: HealthCheck, id: string): Promise<ContainerDetails> {
  const end = check.clock.now() + check.seconds * 1000;
  for (;;) {
    const details = await check.engine.containers.inspect(id);
    if (!details) throw new Error('The new container was removed by somebody else.');
    const running = details.state === 'running';
    const port = running ? await closedPort(check, details) : undefined;
    if (running && port === undefined && hasRunSteadily(check, details)) return details;
    if (check.signal.aborted) throw new Error('The agent stops.');
    if (isOver(details) || check.clock.now() >= end)
      throw new Error(await describeTrouble(check, details, port));
    await pause(check.clock, betweenLooks, check.signal);
  }
}
