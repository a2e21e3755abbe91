import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import type { ContainerDetails } from '../../docker-engine/container-types.ts';
import type { Engine } from '../../docker-engine/types.ts';
import { addressOf } from './app-container.ts';
import { connected } from './forwarder.ts';

export interface HealthCheck {
  clock: Clock;
  engine: Engine;
  network: string | null;
  ports: readonly number[];
  seconds: number;
  signal: AbortSignal;
}

/** Started again so often, a container is not going to come up. */
const maxRestarts = 5;
/** A container without ports is well when it has run for so long. */
const steadySeconds = 2;
const betweenLooks = 0.25;
const shownLines = 5;
/** An image's own check may take its time: engines ask every 30 seconds, and the image may wish for a longer start. */
const longestOwnCheckSeconds = 600;

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

const isOver = ({ state, restartCount, health }: ContainerDetails): boolean =>
  restartCount >= maxRestarts || state === 'dead' || state === 'removing' || health === 'unhealthy';

function ownCheckTrouble({ health }: ContainerDetails): string | undefined {
  if (health === 'unhealthy') return "The image's own health check says that the container is unhealthy.";
  if (health !== 'starting') return undefined;
  return `The image's own health check came to no result within ${longestOwnCheckSeconds} s.`;
}

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
      : ((port === undefined || details.health === 'unhealthy' ? ownCheckTrouble(details) : undefined) ??
        `The container did not accept connections on port ${port} within ${check.seconds} s.`);
  const written = await check.engine.containers.logs(details.id, shownLines).catch(() => '');
  return written.trim() === '' ? reason : `${reason} It wrote: ${written.trim()}`;
}

/** Waits until all ports accept connections and the image's own check, if any, is content. Throws a sentence otherwise. */
export async function waitUntilHealthy(check: HealthCheck, id: string): Promise<ContainerDetails> {
  const began = check.clock.now();
  for (;;) {
    const details = await check.engine.containers.inspect(id);
    if (!details) throw new Error('The new container was removed by somebody else.');
    const running = details.state === 'running';
    const port = running ? await closedPort(check, details) : undefined;
    const serves = running && port === undefined && hasRunSteadily(check, details);
    if (serves && (details.health === null || details.health === 'healthy')) return details;
    if (check.signal.aborted) throw new Error('The agent stops.');
    const seconds = serves ? Math.max(check.seconds, longestOwnCheckSeconds) : check.seconds;
    if (isOver(details) || check.clock.now() >= began + seconds * 1000)
      throw new Error(await describeTrouble(check, details, port));
    await pause(check.clock, betweenLooks * 1000, check.signal);
  }
}
