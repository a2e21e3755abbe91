import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import type { ContainerDetails } from '../../docker-engine/container-types.ts';
import type { Engine } from '../../docker-engine/types.ts';
import { addressOf } from './app-container.ts';
import { openConnection } from './forwarder.ts';

export interface HealthCheck {
  clock: Clock;
  engine: Engine;
  network: string | null;
  ports: readonly number[];
  seconds: number;
  signal: AbortSignal;
}

/** A container that restarts this often has failed. */
const maxRestarts = 5;
/** A container without ports is healthy after running this long. */
const minUptimeSeconds = 2;
const pollSeconds = 0.25;
const logLines = 5;
/** The image's health check may be slow: engines run it every 30 seconds, and images may set a start period. */
const maxHealthCheckSeconds = 600;

async function closedPort(check: HealthCheck, details: ContainerDetails): Promise<number | undefined> {
  const address = addressOf(details, check.network);
  for (const port of check.ports) {
    const socket = address === '' ? undefined : await openConnection(check.clock, address, port);
    if (!socket) return port;
    socket.destroy();
  }
  return undefined;
}

const hasMinUptime = (check: HealthCheck, { startedAt }: ContainerDetails): boolean =>
  check.ports.length > 0 || check.clock.now() - (startedAt ?? check.clock.now()) >= minUptimeSeconds * 1000;

/** While it runs once more, the engine does not say how it ended: that shows a moment later. */
const hasFailed = ({ state, restartCount, health }: ContainerDetails): boolean =>
  (restartCount >= maxRestarts && state !== 'running') ||
  state === 'dead' ||
  state === 'removing' ||
  health === 'unhealthy';

function healthCheckFailure({ health }: ContainerDetails): string | undefined {
  if (health === 'unhealthy') return 'The health check of the image reports unhealthy.';
  if (health !== 'starting') return undefined;
  return `The health check of the image timed out after ${maxHealthCheckSeconds} s.`;
}

/** Says why a container does not serve, with the last lines of its log. */
async function describeFailure(
  check: HealthCheck,
  details: ContainerDetails,
  port?: number,
): Promise<string> {
  const { exitCode, restartCount, error, outOfMemory, state } = details;
  const code = state === 'running' ? '' : ` with code ${exitCode ?? 'unknown'}`;
  const exits = `exited${code} and was restarted ${restartCount} times`;
  const reason =
    restartCount > 0 || state !== 'running'
      ? `The container ${exits}${outOfMemory ? ' (out of memory)' : ''}.${error === '' ? '' : ` ${error}.`}`
      : ((port === undefined || details.health === 'unhealthy' ? healthCheckFailure(details) : undefined) ??
        `The container did not accept connections on port ${port} within ${check.seconds} s.`);
  const written = await check.engine.containers.logs(details.id, logLines).catch(() => '');
  return written.trim() === '' ? reason : `${reason} Last log lines: ${written.trim()}`;
}

/** Waits until all ports accept connections and the image's health check, if any, passes. Throws the reason otherwise. */
export async function waitUntilHealthy(check: HealthCheck, id: string): Promise<ContainerDetails> {
  const startedAt = check.clock.now();
  for (;;) {
    const details = await check.engine.containers.inspect(id);
    if (!details) throw new Error('The new container was removed by another program.');
    const isRunning = details.state === 'running';
    const port = isRunning ? await closedPort(check, details) : undefined;
    const isServing = isRunning && port === undefined && hasMinUptime(check, details);
    if (isServing && (details.health === null || details.health === 'healthy')) return details;
    if (check.signal.aborted) throw new Error('The agent is stopping.');
    const seconds = isServing ? Math.max(check.seconds, maxHealthCheckSeconds) : check.seconds;
    if (hasFailed(details) || check.clock.now() >= startedAt + seconds * 1000)
      throw new Error(await describeFailure(check, details, port));
    await pause(check.clock, pollSeconds * 1000, check.signal);
  }
}
