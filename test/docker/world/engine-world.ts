import { randomBytes } from 'node:crypto';
import { realClock } from '../../../src/basics/clock.ts';
import type { ContainerSpec, ExecResult, Labels } from '../../../src/docker-engine/container-types.ts';
import { openEngine } from '../../../src/docker-engine/engine.ts';
import type { Engine } from '../../../src/docker-engine/types.ts';
import { eventually } from '../../http.ts';

/** The engine of scripts/with-docker.sh, with images from images/build.sh. */
export function testSocket(): string {
  const socketPath = process.env['ALM_TEST_DOCKER_SOCKET'];
  if (!socketPath) throw new Error('ALM_TEST_DOCKER_SOCKET is not set; run npm run test:docker.');
  return socketPath;
}

export const testEngine = (): Engine => openEngine({ socketPath: testSocket(), clock: realClock });

/** A container of one of our images, selected by role. */
export type RoleSpec = Omit<ContainerSpec, 'image'> & { role: string };

/** The engine objects of one test file. They share a label, and `clear` removes them. */
export class EngineWorld {
  readonly engine = testEngine();
  readonly prefix = `test-${randomBytes(4).toString('hex')}`;
  readonly labels: Labels = { 'almanac.test': this.prefix };

  name(rest: string): string {
    return `${this.prefix}-${rest}`;
  }

  async network(rest: string, subnet: string): Promise<string> {
    const name = this.name(rest);
    await this.engine.networks.create({ name, subnet, labels: this.labels });
    return name;
  }

  /** Creates a container without starting it. */
  async create({ role, ...spec }: RoleSpec): Promise<string> {
    const image = `almanac/${role}`;
    const found = await this.engine.images.inspect(image);
    if (!found) throw new Error(`There is no image ${image}; run images/build.sh.`);
    const usr = { kind: 'bind', source: '/usr', target: '/usr', readOnly: true } as const;
    const mounts = [...(spec.mounts ?? []), ...(found.labels['almanac.host-usr'] === 'true' ? [usr] : [])];
    const labels = { ...spec.labels, ...this.labels };
    return this.engine.containers.create({ ...spec, name: this.name(spec.name), image, mounts, labels });
  }

  async run(spec: RoleSpec): Promise<string> {
    const id = await this.create(spec);
    await this.engine.containers.start(id);
    return id;
  }

  /** A container that only sleeps. */
  idle(spec: Omit<RoleSpec, 'role'>): Promise<string> {
    return this.run({ role: 'instance', entrypoint: ['sleep', 'infinity'], ...spec });
  }

  exec(container: string, ...argv: string[]): Promise<ExecResult> {
    return this.engine.containers.exec(container, argv, { signal: AbortSignal.timeout(30_000) });
  }

  async stdout(container: string, ...argv: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.exec(container, ...argv);
    if (exitCode !== 0) throw new Error(`${argv.join(' ')} ended with ${exitCode}: ${stderr}${stdout}`);
    return stdout.trim();
  }

  /** Waits until the readiness check of the image succeeds. */
  async ready(...containers: string[]): Promise<void> {
    const check = async (container: string) => {
      const details = await this.engine.containers.inspect(container);
      if (details?.state !== 'running')
        throw new Error(`The container is not running: ${await this.engine.containers.logs(container, 20)}`);
      return this.exec(container, '/opt/almanac/entry/ready.sh');
    };
    await Promise.all(
      containers.map((container) =>
        eventually(
          () => check(container),
          ({ exitCode }) => exitCode === 0,
        ),
      ),
    );
  }

  async clear(): Promise<void> {
    const { containers, networks, volumes } = this.engine;
    const mine = await containers.list(this.labels);
    await Promise.all(mine.map(({ id }) => containers.remove(id, { force: true })));
    for (const { id } of await networks.list(this.labels)) await networks.remove(id);
    for (const { name } of await volumes.list(this.labels)) await volumes.remove(name);
  }
}
