import type { Release } from '../../../src/vendors/data.ts';
import { type DockerDocument, emptyDocument } from '../../../src/vendors/docker/document.ts';
import { copyName, leavingName, onEngine, phaseOf, shortId } from '../../../src/vendors/docker/names.ts';
import {
  isEmpty,
  type Marker,
  type ObservedStack,
  type ObservedVolume,
  type StackContainer,
} from '../../../src/vendors/docker/observed-stack.ts';
import { isSettled, nextRemoval, nextWave } from '../../../src/vendors/docker/plan/plan.ts';
import type { Create, Step } from '../../../src/vendors/docker/plan/steps.ts';
import { blank, newVolume, volumeFor } from './blank.ts';

export const stackId = 'mo-5447826c870e7-plan-tk';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Limits every loop of these tests. */
const maxTurns = 300;

/**
 * Simulates the effect of a plan's steps on an engine, as far as a plan can observe it. A started container is ready after
 * `passTime`. test/docker uses a real engine.
 */
export class SimulatedEngine {
  hasNetwork = false;
  /** What the marker records. */
  document = emptyDocument;
  volumes: Mutable<ObservedVolume>[] = [];
  containers: Mutable<StackContainer>[] = [];
  /** Steps done so far, in order. */
  readonly done: Step[] = [];
  #made = 0;

  get observed(): ObservedStack {
    const marker = { container: 'm', sequence: 1, version: 'v', doing: 'apply', sizes: {}, usable: [] };
    const containers = this.containers.map((container) => ({ ...container, phase: phaseOf(container.name) }));
    const takenNames = containers.map(({ name }) => name);
    const markers = [{ ...marker, document: this.document } as Marker];
    return { markers, hasNetwork: this.hasNetwork, volumes: [...this.volumes], containers, takenNames };
  }

  instances(): Mutable<StackContainer>[] {
    return this.containers.filter(({ kind }) => kind === 'instance');
  }

  passTime(): void {
    for (const container of this.containers) {
      if (container.kind === 'copy') container.state = 'ended';
      container.ready = container.state === 'running' || container.kind === 'copy';
      container.peers = [];
    }
  }

  kill(container: StackContainer): void {
    const found = this.#find(container.id);
    if (found) Object.assign(found, { state: 'ended', ready: false, address: '' });
  }

  markLeaving(container: StackContainer): void {
    const found = this.#find(container.id);
    if (found) found.name = leavingName(found.name, 0);
  }

  /** Adds the container and volume an agent makes on its instance. */
  addApp(instance: StackContainer): void {
    const own = shortId(instance.id);
    this.#add({ name: `app-of-${own}`, kind: 'app', instance: own, state: 'running' });
    this.volumes.push({ ...newVolume, name: `storage-of-${own}`, instance: own, flag: instance.flag });
  }

  perform(document: DockerDocument, step: Step): void {
    this.done.push(step);
    this.#do(document, step);
  }

  /** Simulates a crash in the middle of the step. */
  performHalf(document: DockerDocument, step: Step): void {
    if (step.do === 'create') this.#create(document, step, 'created');
    const isStopped = step.do === 'remove-replica' || (step.do === 'remove' && step.seconds > 0);
    if (isStopped) this.kill(this.#find(step.container) as StackContainer);
  }

  /** Performs waves until the stack is settled. `watch` is called after each step; true stops there. */
  converge(
    document: DockerDocument,
    watch: () => boolean = () => false,
    releases: readonly Release[] = [],
  ): void {
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const steps = nextWave({ stackId, document, releases }, this.observed);
      for (const step of steps) {
        this.perform(document, step);
        if (watch()) return;
      }
      if (steps.length > 0) continue;
      if (isSettled(document, this.observed)) return;
      this.passTime();
    }
    throw new Error('The plan does not converge.');
  }

  /** With these stores, or keeping all data. */
  removeAll(releases: readonly Release[] = []): void {
    const target = { stackId, document: this.document, releases };
    for (let turn = 0; turn < maxTurns && !isEmpty({ ...this.observed, markers: [] }); turn += 1)
      for (const step of nextRemoval(target, this.observed)) this.perform(emptyDocument, step);
  }

  #copy(volume: string): void {
    const part = volume.replace(`alm-${stackId}-`, '');
    this.#add({ name: copyName(volume), kind: 'copy', part, volume, state: 'running' });
  }

  #keep(volume: string, isKept: boolean): void {
    const found = this.volumes.find(({ name }) => name === volume);
    if (!found) throw new Error(`There is no volume ${volume}.`);
    const owner = { stackId, accountId: 'a', flag: 'main', engine: 'postgresql' };
    found.kept = isKept ? { volume, ...owner, keptAt: 0, until: null } : null;
  }

  #find(id: string): Mutable<StackContainer> | undefined {
    return this.containers.find((container) => container.id === id);
  }

  #add(given: Partial<StackContainer> & { name: string }): Mutable<StackContainer> {
    this.#made += 1;
    const id = String(this.#made).padStart(12, '0');
    const container: Mutable<StackContainer> = { ...blank, id, ...given };
    if (this.containers.some(({ name }) => name === given.name)) throw new Error(`${given.name} is taken.`);
    this.containers.push(container);
    return container;
  }

  #create(
    document: DockerDocument,
    { kind, part, name, hostPorts }: Create,
    state: StackContainer['state'],
  ): void {
    const fleet = document.fleets.find(({ slots }) => slots.some((slot) => slot.name === part));
    const other = [...document.services, ...document.balancers].find((each) => each.name === part);
    const found = kind === 'instance' ? fleet : other;
    const ports = Object.entries(hostPorts).map(([port, hostPort]) => {
      return { port: Number(port), hostPort, hostAddress: '127.0.0.1' };
    });
    const made = this.#add({
      name,
      kind,
      part,
      hash: found?.hash ?? '',
      flag: found && 'flag' in found ? found.flag : '',
      volume: volumeFor(stackId, part, { fleet: kind === 'instance' ? fleet : undefined, found }),
      inGroup: fleet?.inGroup ?? false,
      state,
      ports,
    });
    if (state === 'running') this.#start(made);
  }

  #start(container: Mutable<StackContainer>): void {
    container.state = 'running';
    container.address = `10.0.0.${Number(container.id)}`;
  }

  #do(document: DockerDocument, step: Step): void {
    const found = 'container' in step ? this.#find(step.container) : undefined;
    switch (step.do) {
      case 'make-network':
        this.hasNetwork = true;
        return;
      case 'make-volume':
        this.volumes.push({
          ...newVolume,
          name: onEngine(stackId, step.volume),
          storeId: `${step.volume} ${this.done.length}`,
          restoredFrom: document.restored?.[step.volume] ?? '',
          isCopy: document.services.some(({ volume, role }) => volume === step.volume && role === 'replica'),
        });
        return;
      case 'reuse-volume':
        return this.#keep(step.volume, false);
      case 'keep-volume':
        return this.#keep(step.volume, true);
      case 'copy-volume':
        return this.#copy(step.volume);
      case 'create':
        return this.#create(document, step, step.start ? 'running' : 'created');
      case 'start':
        return found && this.#start(found);
      case 'rename':
        return void (found && (found.name = step.name));
      case 'configure':
        return void (found && (found.configuration = step.text));
      case 'remove':
      case 'remove-replica':
        this.containers = this.containers.filter((container) => container !== found);
        return;
      case 'remove-volume':
        this.volumes = this.volumes.filter(({ name }) => name !== step.volume);
        return;
      case 'remove-network':
        if (this.containers.some(({ state }) => state === 'running'))
          throw new Error('The network is in use.');
        this.hasNetwork = false;
    }
  }
}
