import { expect, it } from 'vitest';
import { waitUntilHealthy } from '../../src/agent/deploy/health.ts';
import { createAgentLog } from '../../src/agent/log.ts';
import { realClock } from '../../src/basics/clock.ts';
import type { ContainerDetails } from '../../src/docker-engine/container-types.ts';
import type { Engine } from '../../src/docker-engine/types.ts';

it('a container that runs once more when it is looked at is reported with the code that it ends with', async () => {
  const seen: Partial<ContainerDetails>[] = [
    { state: 'running', exitCode: null, restartCount: 5 },
    { state: 'restarting', exitCode: 3, restartCount: 6 },
  ];
  const base = {
    id: 'c1',
    networks: [],
    health: null,
    error: '',
    outOfMemory: false,
    startedAt: realClock.now(),
  };
  const containers = {
    inspect: async () => ({ ...base, ...(seen.length > 1 ? seen.shift() : seen[0]) }),
    logs: async () => 'the page is broken',
  };
  const engine = { containers } as unknown as Engine;
  const clock = {
    now: () => realClock.now(),
    after: (_: number, callback: () => void) => realClock.after(0, callback),
  };
  const check = {
    clock,
    engine,
    log: createAgentLog(realClock, () => undefined),
    network: null,
    ports: [],
    seconds: 60,
    signal: new AbortController().signal,
  };
  await expect(waitUntilHealthy(check, 'c1')).rejects.toMatchObject({
    message: 'The container exited with code 3 and was restarted 6 times.',
    definite: true,
    lastLines: 'the page is broken',
  });
});
