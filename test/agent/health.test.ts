import { expect, it } from 'vitest';
import { type HealthCheck, waitUntilHealthy } from '../../src/agent/deploy/health.ts';
import { realClock } from '../../src/basics/clock.ts';
import type { ContainerDetails } from '../../src/docker-engine/container-types.ts';

type Health = ContainerDetails['health'];

/** A container without ports that has long been running, and says this of itself, one look after the other. */
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
    network: null,
    ports: [],
    seconds,
    signal,
  };
}

it('waits for the own check of the image, also when that takes longer than ports may', async () => {
  const details = await waitUntilHealthy(checkOf(['starting', 'starting', 'healthy'], 0.1), 'some');
  expect(details.health).toBe('healthy');
});

it('fails when the own check of the image does', async () => {
  await expect(waitUntilHealthy(checkOf(['starting', 'unhealthy'], 5), 'some')).rejects.toThrow(
    "The image's own health check says that the container is unhealthy. It wrote: no database",
  );
});
