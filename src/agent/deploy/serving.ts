import type { Container, ContainerDetails } from '../../docker-engine/container-types.ts';
import { EngineUnreachable } from '../../docker-engine/errors.ts';
import type { Application, Reporter } from '../service/reporter.ts';
import { sorted } from '../sorted.ts';
import type { Running, StateStore } from '../state.ts';
import { addressOf, listAppContainers, removeAppContainer, toRunning } from './app-container.ts';
import type { DefaultPage } from './default-page.ts';
import type { DeployTools } from './deploy.ts';
import type { Backend, Forwarder } from './forwarder.ts';
import { digestOf } from './image.ts';
import type { Readiness } from './readiness.ts';
import { Watch } from './watch.ts';

export interface ServingTools extends DeployTools {
  defaultPage: DefaultPage;
  forwarder: Forwarder;
  readiness: Readiness;
  reporter: Reporter;
  store: StateStore;
}

/** Time to stop before the container is killed. */
const stopSeconds = 10;

/** The container that serves on the instance's ports. */
export class Serving {
  readonly #tools: ServingTools;
  #watch: Watch;
  #backend: Backend | undefined;
  #digest = '';

  constructor(tools: ServingTools) {
    this.#tools = tools;
    this.#watch = new Watch(tools);
  }

  /** What serves; null: nothing does. */
  get served(): Application['serving'] {
    const { running, fault } = this.#tools.store.state;
    if (!this.#backend || !running || fault) return null;
    return { revision: running.revision, image: running.image, digest: this.#digest };
  }

  /** Finds the serving container, also after a restart of the agent. Removes the remains of an interrupted deploy. */
  async find(): Promise<Running | undefined> {
    const { engine, instance, store } = this.#tools;
    const containers = await listAppContainers(engine, instance);
    const { running } = store.state;
    const serving =
      containers.find(({ id, state }) => id === running?.containerId && !isLost(state)) ??
      (store.isNew && !this.#backend ? newestRunning(containers) : undefined);
    for (const { id, state } of containers) {
      if (id === serving?.id) continue;
      // Engines sometimes cannot remove a dead container. That must not block a new one.
      await removeAppContainer(engine, id, 1).catch((error: unknown) => {
        if (state !== 'dead' || error instanceof EngineUnreachable) throw error;
      });
    }
    const details = serving && (await engine.containers.inspect(serving.id));
    if (!details) return this.#recordLoss();
    const found = running ?? toRunning(details);
    if (this.#backend?.id !== details.id) await this.#adopt(found);
    await this.#lookAfter(found, details);
    await this.#keepAlive(found, details.state);
    return found;
  }

  /** Looks at the container that serves, between passes. */
  async look(): Promise<void> {
    const { engine, store } = this.#tools;
    const { running } = store.state;
    const details = running && this.#backend && (await engine.containers.inspect(running.containerId));
    if (details) await this.#lookAfter(running, details);
  }

  /** Sends new connections to the candidate. Removes it if its ports cannot be opened. */
  async switchTo(candidate: Running): Promise<void> {
    const { engine, forwarder, store, readiness, defaultPage } = this.#tools;
    const backend = this.#backendOf(candidate.containerId);
    try {
      await backend.refresh();
      await defaultPage.close();
      await forwarder.switchTo(backend, candidate.ports);
    } catch (error) {
      await removeAppContainer(engine, candidate.containerId, 1);
      throw error;
    }
    this.#backend = backend;
    this.#watch = new Watch(this.#tools);
    this.#digest = await digestOf(engine, candidate.containerId);
    await store.update({ running: candidate, failed: null, fault: null });
    await readiness.ready(candidate.revision);
  }

  /** Drains and removes all containers except the serving one. */
  async retireOthers(): Promise<void> {
    const { engine, forwarder, instance, settings, signal } = this.#tools;
    for (const { id, state } of await listAppContainers(engine, instance)) {
      if (id === this.#backend?.id || state === 'dead') continue;
      await forwarder.drain(id, settings.drainSeconds, signal);
      if (signal.aborted) return;
      await removeAppContainer(engine, id, stopSeconds);
      forwarder.closeConnections(id);
    }
  }

  /** Removes everything: the layer has no container any more. */
  async stop(): Promise<void> {
    const { forwarder, store, reporter, log } = this.#tools;
    if (!this.#backend) return;
    log('the layer no longer has a container');
    this.#backend = undefined;
    forwarder.refuseNew();
    await store.update({ running: null, failed: null, fault: null });
    await this.retireOthers();
    await reporter.container('terminated');
  }

  /** Drains and stops the container: the instance is being terminated. */
  async retire(): Promise<void> {
    const { engine, forwarder, reporter, settings } = this.#tools;
    if (!this.#backend) return;
    const { id } = this.#backend;
    forwarder.refuseNew();
    await forwarder.drain(id, settings.drainSeconds);
    await engine.containers.stop(id, stopSeconds);
    this.#backend = undefined;
    await reporter.container('terminated');
  }

  async #recordLoss(): Promise<undefined> {
    const { log, readiness, reporter, store } = this.#tools;
    const { running } = store.state;
    if (!running) return undefined;
    log(`container ${running.name} was removed`);
    await readiness.notReady();
    await reporter.container('terminated');
    await store.update({ running: null, fault: null });
  }

  async #adopt(running: Running): Promise<void> {
    const { engine, forwarder, log, store, reporter } = this.#tools;
    const backend = this.#backendOf(running.containerId);
    await backend.refresh();
    await forwarder.switchTo(backend, running.ports);
    this.#backend = backend;
    this.#digest = await digestOf(engine, running.containerId);
    await store.update({ running });
    log(`adopted container ${running.name}, revision ${running.revision}`);
    await reporter.container('complete');
  }

  /** Starts a container that was stopped by hand: the engine restarts only those that exit. */
  async #keepAlive({ containerId, revision }: Running, state: Container['state']): Promise<void> {
    const { engine, readiness, log } = this.#tools;
    if (state === 'running') {
      await this.#backend?.refresh();
      return readiness.ready(revision);
    }
    log(`the container is not running: ${state}`);
    await readiness.notReady();
    if (state === 'exited' || state === 'created') await engine.containers.start(containerId);
  }

  /** Records whether the container serves, and since which run of it. */
  async #lookAfter(running: Running, details: ContainerDetails): Promise<void> {
    const { log, reporter, store } = this.#tools;
    const { fault: before } = store.state;
    const fault = await this.#watch.look(running, details, before);
    const { startedAt } = details;
    if (fault === before && startedAt === running.startedAt) return;
    await store.update({ fault, running: { ...running, startedAt } });
    if (fault && !before) {
      log(`the container does not serve: ${fault.reason}`);
      await reporter.container('restarting');
    } else if (before && !fault) {
      log('the container serves again');
      await reporter.container('complete');
    }
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

/** The container neither serves nor can be started. It must be replaced. */
const isLost = (state: Container['state']): boolean => state === 'dead' || state === 'paused';

const newestRunning = (containers: readonly Container[]): Container | undefined =>
  sorted(
    containers.filter(({ state }) => state === 'running'),
    (one, other) => toRunning(other).revision - toRunning(one).revision,
  )[0];
