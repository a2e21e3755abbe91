import { expect, it } from 'vitest';
import { type HealthCheck, waitUntilHealthy } from '../../src/agent/deploy/health.ts';
import { createAgentLog } from '../../src/agent/log.ts';
import { realClock } from '../../src/basics/clock.ts';
import type { ContainerDetails } from '../../src/docker-engine/container-types.ts';

type Health = ContainerDetails['health'];

/** A container without ports and with a long uptime, whose health changes with each inspection. */
function checkOf(healths: readonly Health[], seconds: number): HealthCheck {
  const left = [...healths];
  const inspect = async () => ({
    id: 'some',
    state: 'running',
    startedAt: 1,
    restartCount: 0,
    networks: [],
    health: left.length > 1 ? left.shift() : left[0],
  });
  const engine = { containers: { inspect, logs: async () => 'no database\n' } } as unknown;
  const { signal } = new AbortController();
  return {
    clock: realClock,
    engine: engine as HealthCheck['engine'],
    log: createAgentLog(realClock, () => undefined),
    network: null,
    ports: [],
    seconds,
    signal,
  };
}

it('waits for the health check of the image, even longer than for the ports', async () => {
  const details = await waitUntilHealthy(checkOf(['starting', 'starting', 'healthy'], 0.1), 'some');
  expect(details.health).toBe('healthy');
});

it('fails when the health check of the image fails', async () => {
  await expect(waitUntilHealthy(checkOf(['starting', 'unhealthy'], 5), 'some')).rejects.toMatchObject({
    message: 'The health check of the image reports unhealthy.',
    definite: true,
    lastLines: 'no database',
  });
});
