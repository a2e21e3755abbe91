import { expect, it } from 'vitest';
import { Watch } from '../../../src/agent/deploy/watch.ts';
import { createAgentLog } from '../../../src/agent/log.ts';
import type { Fault, Running } from '../../../src/agent/state.ts';
import { VirtualClock } from '../../../src/basics/clock.ts';
import type { ContainerDetails } from '../../../src/docker-engine/container-types.ts';
import type { Engine } from '../../../src/docker-engine/types.ts';

/** A container without ports that is looked at every 10 seconds. */
class WatchedContainer {
  readonly #clock = new VirtualClock();
  readonly #watch = new Watch({
    clock: this.#clock,
    engine: { containers: { logs: async () => 'bye\n' } } as unknown as Engine,
    log: createAgentLog(this.#clock, () => undefined),
    settings: { network: null, healthSeconds: 60 },
  });
  #fault: Fault | null = null;
  #running = { containerId: 'c1', ports: [], startedAt: 0 } as unknown as Running;

  details = {
    state: 'running',
    startedAt: 0,
    restartCount: 0,
    health: null,
    error: '',
    networks: [],
  } as unknown as ContainerDetails;

  crash(): void {
    const { startedAt, restartCount } = this.details;
    this.details = { ...this.details, startedAt: (startedAt ?? 0) + 1, restartCount: restartCount + 1 };
  }

  async look(): Promise<Fault | null> {
    this.#fault = await this.#watch.look(this.#running, this.details, this.#fault);
    this.#running = { ...this.#running, startedAt: this.details.startedAt };
    this.#clock.advance(10_000);
    return this.#fault;
  }

  /** How many looks in a row find it down, until it is up. */
  async looksUntilUp(): Promise<number> {
    let looks = 0;
    while (await this.look()) looks += 1;
    return looks;
  }
}

it('a container that exited between two looks is down at the next one, with its last lines', async () => {
  const container = new WatchedContainer();
  expect(await container.look()).toBeNull();
  container.crash();
  expect(await container.look()).toMatchObject({
    reason: 'The container exited and was restarted once.',
    lastLines: 'bye',
  });
});

it('a container must stay up longer after each exit, at most for its health time, until it stayed up for all of it', async () => {
  const container = new WatchedContainer();
  const looks: number[] = [];
  for (let exits = 0; exits < 4; exits += 1) {
    container.crash();
    looks.push(await container.looksUntilUp());
  }
  expect(looks).toEqual([1, 2, 4, 6]);
  container.crash();
  expect(await container.looksUntilUp()).toBe(1);
});

it('a container that exits every 30 seconds is soon down without a break', async () => {
  const container = new WatchedContainer();
  const found: string[] = [];
  for (let exits = 0; exits < 8; exits += 1) {
    container.crash();
    for (let look = 0; look < 3; look += 1) found.push((await container.look()) ? '-' : 'u');
  }
  expect(found.join('')).toBe(`-uu--u${'---'.repeat(6)}`);
});

it('the reason of a container that keeps exiting does not change with every exit', async () => {
  const container = new WatchedContainer();
  container.details = { ...container.details, state: 'restarting', exitCode: 3, restartCount: 1 };
  const first = await container.look();
  expect(first?.reason).toBe('The container exited with code 3 and was restarted once.');
  container.crash();
  expect(await container.look()).toEqual(first);
});

it('a container that exited is reported so, also while its health check runs again', async () => {
  const container = new WatchedContainer();
  container.crash();
  container.details = { ...container.details, health: 'starting' };
  expect(await container.look()).toMatchObject({ reason: 'The container exited and was restarted once.' });
});

it('a health check that runs again after a restart has to pass first', async () => {
  const container = new WatchedContainer();
  container.details = { ...container.details, health: 'starting' };
  expect(await container.look()).toMatchObject({
    reason: 'The health check of the image has not passed yet.',
  });
  container.details = { ...container.details, health: 'healthy' };
  expect(await container.looksUntilUp()).toBe(1);
});
