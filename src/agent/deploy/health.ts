import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import type { ContainerDetails } from '../../docker-engine/container-types.ts';
import type { Engine } from '../../docker-engine/types.ts';
import { DeployFailure } from '../failure.ts';
import type { AgentLog } from '../log.ts';
import { addressOf } from './app-container.ts';
import { openConnection } from './forwarder.ts';
import { lastLinesOf } from './last-lines.ts';

/** Where a container should accept connections. */
export interface Endpoints {
  clock: Clock;
  network: string | null;
  ports: readonly number[];
}

export interface HealthCheck extends Endpoints {
  engine: Engine;
  log: Pick<AgentLog, 'clean'>;
  seconds: number;
  signal: AbortSignal;
}

/** A container that restarts this often has failed. */
const maxRestarts = 5;
/** A container without ports, or one that was restarted, is healthy after running this long. */
const minUptimeSeconds = 2;
const pollSeconds = 0.25;
/** The image's health check may be slow: engines run it every 30 seconds, and images may set a start period. */
const maxHealthCheckSeconds = 600;

/** The first port that accepts no connection. */
export async function closedPort(
  { clock, network, ports }: Endpoints,
  details: ContainerDetails,
): Promise<number | undefined> {
  const address = addressOf(details, network);
  for (const port of ports) {
    const socket = address === '' ? undefined : await openConnection(clock, address, port);
    if (!socket) return port;
    socket.destroy();
  }
  return undefined;
}

const hasMinUptime = (
  { clock, ports }: HealthCheck,
  { startedAt, restartCount }: ContainerDetails,
): boolean =>
  (ports.length > 0 && restartCount === 0) ||
  clock.now() - (startedAt ?? clock.now()) >= minUptimeSeconds * 1000;

/** While it runs once more, the engine does not say how it ended: that shows a moment later. */
const hasFailed = ({ state, restartCount, health }: ContainerDetails): boolean =>
  (restartCount >= maxRestarts && state !== 'running') ||
  state === 'dead' ||
  state === 'removing' ||
  health === 'unhealthy';

export const unhealthy = 'The health check of the image reports unhealthy.';

function healthCheckFailure({ health }: ContainerDetails): string | undefined {
  if (health === 'unhealthy') return unhealthy;
  if (health !== 'starting') return undefined;
  return `The health check of the image timed out after ${maxHealthCheckSeconds} s.`;
}

/** Says how a container ended. While it runs once more, the engine does not know its exit code. */
export function describeExit({
  exitCode,
  restartCount,
  error,
  outOfMemory,
  state,
}: ContainerDetails): string {
  const code = state === 'running' ? '' : ` with code ${exitCode ?? 'unknown'}`;
  const times = restartCount === 1 ? 'once' : `${restartCount} times`;
  const restarts = restartCount === 0 ? '' : ` and was restarted ${times}`;
  const memory = outOfMemory ? ' (out of memory)' : '';
  return `The container exited${code}${restarts}${memory}.${error === '' ? '' : ` ${error}.`}`;
}

/** Says why a container does not serve. */
function describeFailure(check: HealthCheck, details: ContainerDetails, port?: number): string {
  if (details.restartCount > 0 || details.state !== 'running') return describeExit(details);
  const isByImage = port === undefined || details.health === 'unhealthy';
  return (
    (isByImage ? healthCheckFailure(details) : undefined) ??
    `The container did not accept connections on port ${port} within ${check.seconds} s.`
  );
}

/** A container that the engine or another program took away may work the next time. */
const isDefinite = ({ state }: ContainerDetails): boolean => state !== 'dead' && state !== 'removing';

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
    if (check.signal.aborted) throw new Error('The agent is stopping, or has a newer revision.');
    const seconds = isServing ? Math.max(check.seconds, maxHealthCheckSeconds) : check.seconds;
    if (hasFailed(details) || check.clock.now() >= startedAt + seconds * 1000)
      throw new DeployFailure(describeFailure(check, details, port), {
        definite: isDefinite(details),
        lastLines: await lastLinesOf(check.engine, check.log, id),
      });
    await pause(check.clock, pollSeconds * 1000, check.signal);
  }
}
