import type { Container } from '../../docker-engine/container-types.ts';
import { EngineUnreachable } from '../../docker-engine/errors.ts';
import type { Memory } from '../memory.ts';
import type { Reporter } from '../service/reporter.ts';
import { sorted } from '../sorted.ts';
import type { Running } from '../state.ts';
import { addressOf, listAppContainers, removeAppContainer, runningFrom } from './app-container.ts';
import type { DeployTools } from './deploy.ts';
import type { Backend, Forwarder } from './forwarder.ts';
import type { Readiness } from './readiness.ts';

export interface ServingTools extends DeployTools {
  forwarder: Forwarder;
  readiness: Readiness;
  reporter: Reporter;
  memory: Memory;
}

/** A container gets so long to end before it is killed. */
const stopSeconds = 10;

/** The container that serves, and its connection to the instance's ports. */
export class Serving {
  readonly #tools: ServingTools;
  #backend: Backend | undefined;
  #isDown = false;

  constructor(tools: ServingTools) {
    this.#tools = tools;
  }

  /** What serves, also after a restart of the agent. What a broken off deploy left is taken away. */
  async find(): Promise<Running | undefined> {
    const { engine, place, memory } = this.#tools;
    const containers = await listAppContainers(engine, place);
    const { running } = memory.state;
    const serving =
      containers.find(({ id, state }) => id === running?.containerId && !isLost(state)) ??
      (memory.isNew && !this.#backend ? newestRunning(containers) : undefined);
    for (const { id, state } of containers) {
      if (id === serving?.id) continue;
      // Engines sometimes cannot even remove what is dead; that must not keep another from being made.
      await removeAppContainer(engine, id, 1).catch((error: unknown) => {
        if (state !== 'dead' || error instanceof EngineUnreachable) throw error;
      });
    }
    if (!serving) return this.#lost();
    const found = running ?? runningFrom(serving);
    if (this.#backend?.id !== serving.id) await this.#adopt(found);
    await this.#keepAlive(found, serving.state);
    return found;
  }

  /** From here on new connections reach the new container. A candidate that cannot have the ports is taken away. */
  async switchTo(candidate: Running): Promise<void> {
    const { engine, forwarder, memory, readiness } = this.#tools;
    const backend = this.#backendOf(candidate.containerId);
    try {
      await backend.refresh();
      await forwarder.switchTo(backend, candidate.ports);
    } catch (error) {
      await removeAppContainer(engine, candidate.containerId, 1);
      throw error;
    }
    this.#backend = backend;
    this.#isDown = false;
    await memory.remember({ running: candidate, failed: null });
    await readiness.ready(candidate.revision);
  }

  /** All but the one that serves finish what they are at, within limits, and go. */
  async retireOthers(): Promise<void> {
    const { engine, forwarder, place, settings, signal } = this.#tools;
    for (const { id, state } of await listAppContainers(engine, place)) {
      if (id === this.#backend?.id || state === 'dead') continue;
      await forwarder.drained(id, settings.drainSeconds, signal);
      if (signal.aborted) return;
      await removeAppContainer(engine, id, stopSeconds);
      forwarder.cut(id);
    }
  }

  /** Nothing is to run any more. */
  async end(): Promise<void> {
    const { forwarder, memory, reporter, log } = this.#tools;
    if (!this.#backend) return;
    log('the layer has no container any more');
    this.#backend = undefined;
    forwarder.refuseNew();
    await memory.remember({ running: null, failed: null });
    await this.retireOthers();
    await reporter.container('terminated');
  }

  async #lost(): Promise<undefined> {
    const { log, readiness, reporter, memory } = this.#tools;
    const { running } = memory.state;
    if (!running) return undefined;
    log(`container ${running.name} is gone`);
    await readiness.notReady();
    await reporter.container('terminated');
    await memory.remember({ running: null });
  }

  async #adopt(running: Running): Promise<void> {
    const { forwarder, log, memory, reporter } = this.#tools;
    const backend = this.#backendOf(running.containerId);
    await backend.refresh();
    await forwarder.switchTo(backend, running.ports);
    this.#backend = backend;
    await memory.remember({ running });
    log(`going on with container ${running.name}, revision ${running.revision}`);
    await reporter.container('complete');
  }

  /** The engine starts a container again that ended; one that somebody stopped it leaves alone, so we do it. */
  async #keepAlive({ containerId, revision }: Running, state: Container['state']): Promise<void> {
    const { engine, readiness, reporter, log } = this.#tools;
    if (state !== 'running') {
      this.#isDown = true;
      log(`the container does not run: ${state}`);
      await readiness.notReady();
      await reporter.container('restarting');
      if (state === 'exited' || state === 'created') await engine.containers.start(containerId);
      return;
    }
    await this.#backend?.refresh();
    await readiness.ready(revision);
    if (this.#isDown) await reporter.container('complete');
    this.#isDown = false;
  }

  #backendOf(id: string): Backend {
    const { engine, settings } = this.#tools;
    let address = '';
    return {
      id,
      host: () => address,
      async refresh() {
        const details = await engine.containers.inspect(id);
        address = (details && addressOf(details, settings.network)) || address;
      },
    };
  }
}

/** It neither serves nor can it be started: another must be made. */
const isLost = (state: Container['state']): boolean => state === 'dead' || state === 'paused';

const newestRunning = (containers: readonly Container[]): Container | undefined =>
  sorted(
    containers.filter(({ state }) => state === 'running'),
    (one, other) => runningFrom(other).revision - runningFrom(one).revision,
  )[0];
