import type { DockerDocument } from '../../../src/vendors/docker/document.ts';
import { leavingName, onEngine, phaseOf, shortId } from '../../../src/vendors/docker/names.ts';
import { isSettled, nextRemoval, nextWave } from '../../../src/vendors/docker/plan/plan.ts';
import type { Create, Step } from '../../../src/vendors/docker/plan/steps.ts';
import { isEmpty, type Running, type Standing } from '../../../src/vendors/docker/running.ts';

export const stackId = 'mo-5447826c870e7-plan-tk';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Every loop of these tests ends. */
const maxTurns = 300;

/**
 * OURS: no engine, but what the steps of a plan do to one, as far as the plan can see. What starts is not ready before
 * `passTime`. What real engines do is tried in test/docker.
 */
export class PretendEngine {
  hasNetwork = false;
  volumes: { name: string; instance: string }[] = [];
  containers: Mutable<Standing>[] = [];
  /** Steps done so far, in order. */
  readonly done: Step[] = [];
  #made = 0;

  get running(): Running {
    const markers = [{ container: 'm', sequence: 1, version: 'v', doing: 'apply' as const, document: none }];
    const containers = this.containers.map((container) => ({ ...container, phase: phaseOf(container.name) }));
    const takenNames = containers.map(({ name }) => name);
    return { markers, hasNetwork: this.hasNetwork, volumes: [...this.volumes], containers, takenNames };
  }

  instances(): Mutable<Standing>[] {
    return this.containers.filter(({ kind }) => kind === 'instance');
  }

  passTime(): void {
    for (const container of this.containers) {
      container.ready = container.state === 'running';
      container.peers = [];
    }
  }

  kill(container: Standing): void {
    const found = this.#find(container.id);
    if (found) Object.assign(found, { state: 'ended', ready: false, address: '' });
  }

  dismiss(container: Standing): void {
    const found = this.#find(container.id);
    if (found) found.name = leavingName(found.name, 0);
  }

  /** What an agent makes on its instance. */
  addApp(instance: Standing): void {
    const own = shortId(instance.id);
    this.#add({ name: `app-of-${own}`, kind: 'app', instance: own, state: 'running' });
    this.volumes.push({ name: `storage-of-${own}`, instance: own });
  }

  perform(document: DockerDocument, step: Step): void {
    this.done.push(step);
    this.#do(document, step);
  }

  /** As if the service had died in the middle of the step. */
  performHalf(document: DockerDocument, step: Step): void {
    if (step.do === 'create') this.#create(document, step, 'created');
    const isStopped = step.do === 'remove-replica' || (step.do === 'remove' && step.seconds > 0);
    if (isStopped) this.kill(this.#find(step.container) as Standing);
  }

  /** Waves until nothing is left to do. `watch` sees the world after each step; true ends it there. */
  converge(document: DockerDocument, watch: () => boolean = () => false): void {
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const steps = nextWave(stackId, document, this.running);
      for (const step of steps) {
        this.perform(document, step);
        if (watch()) return;
      }
      if (steps.length > 0) continue;
      if (isSettled(document, this.running)) return;
      this.passTime();
    }
    throw new Error('It does not come to rest.');
  }

  removeAll(most = maxTurns): void {
    for (let turn = 0; turn < most && !isEmpty({ ...this.running, markers: [] }); turn += 1)
      for (const step of nextRemoval(this.running)) this.perform(none, step);
  }

  #find(id: string): Mutable<Standing> | undefined {
    return this.containers.find((container) => container.id === id);
  }

  #add(given: Partial<Standing> & { name: string }): Mutable<Standing> {
    this.#made += 1;
    const id = String(this.#made).padStart(12, '0');
    const container: Mutable<Standing> = { ...blank, id, ...given };
    if (this.containers.some(({ name }) => name === given.name)) throw new Error(`${given.name} is taken.`);
    this.containers.push(container);
    return container;
  }

  #create(document: DockerDocument, { kind, part, name, hostPorts }: Create, state: Standing['state']): void {
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
      state,
      ports,
    });
    if (state === 'running') this.#start(made);
  }

  #start(container: Mutable<Standing>): void {
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
        this.volumes.push({ name: onEngine(stackId, step.volume), instance: '' });
        return;
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

const none: DockerDocument = {
  region: '',
  volumes: [],
  fleets: [],
  balancers: [],
  services: [],
  outputs: [],
};

const blank: Standing = {
  id: '',
  name: '',
  kind: 'app',
  part: '',
  hash: '',
  flag: '',
  spot: false,
  type: '',
  image: '',
  instance: '',
  state: 'created',
  phase: { kind: 'serving' },
  address: '',
  ports: [],
  createdAt: 0,
  ready: false,
  configuration: '',
  peers: [],
};
