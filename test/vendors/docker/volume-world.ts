import type {
  Container,
  ContainerSpec,
  LabelFilter,
  Labels,
} from '../../../src/docker-engine/container-types.ts';
import { EngineError } from '../../../src/docker-engine/errors.ts';
import type { Engine, Volume } from '../../../src/docker-engine/types.ts';

interface FakeContainer {
  id: string;
  name: string;
  labels: Labels;
  volumes: readonly string[];
}

const matches = (own: Labels, filter: LabelFilter): boolean =>
  Object.entries(filter).every(([key, value]) => key in own && (value === null || own[key] === value));

/** As much of an engine as kept volumes need. It refuses to remove a volume that a container mounts. */
export class VolumeWorld {
  containers: FakeContainer[] = [];
  volumes: Volume[] = [];
  started: string[] = [];
  #made = 0;

  readonly engine = {
    images: { inspect: async () => ({ labels: {} }), import: async () => 'sha256:0' },
    networks: { list: async () => [] },
    containers: {
      list: async (filter: LabelFilter) =>
        this.containers.filter((each) => matches(each.labels, filter)) as unknown as Container[],
      create: async (spec: ContainerSpec) => this.#create(spec),
      inspect: async (name: string) => this.containers.find((each) => each.name === name),
      start: async (name: string) => this.started.push(name) > 0,
      remove: async (nameOrId: string) => {
        const left = this.containers.filter(({ id, name }) => id !== nameOrId && name !== nameOrId);
        const isFound = left.length < this.containers.length;
        this.containers = left;
        return isFound;
      },
    },
    volumes: {
      list: async (filter: LabelFilter) => this.volumes.filter((each) => matches(each.labels, filter)),
      create: async (made: Volume) => {
        this.volumes.push(made);
        return made;
      },
      usersOf: async (name: string) => this.#usersOf(name),
      remove: async (name: string) => {
        if (this.#usersOf(name).length > 0) throw new EngineError(409, 'volume is in use', '');
        this.volumes = this.volumes.filter((each) => each.name !== name);
        return true;
      },
    },
  } as unknown as Engine;

  addContainer(name: string, labels: Labels, volumes: readonly string[]): void {
    this.#made += 1;
    this.containers.push({ id: `container ${this.#made}`, name, labels, volumes });
  }

  #create({ name, labels = {}, mounts = [] }: ContainerSpec): string {
    if (this.containers.some((each) => each.name === name)) throw new EngineError(409, 'already in use', '');
    const mounted = mounts.flatMap((mount) => (mount.kind === 'volume' ? [mount.volume] : []));
    this.addContainer(name, labels, mounted);
    return name;
  }

  #usersOf(volume: string): string[] {
    return this.containers.filter(({ volumes }) => volumes.includes(volume)).map(({ name }) => name);
  }
}
