import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { almProgram } from '../../cli/alm.ts';
import type { Ended } from '../../e2e/almanac-process.ts';

/** Without these limits podman asks for more than a container may have. */
const containersConf = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
`;

/** Clients of registries, unmodified, for one person: saved logins and podman's images are in a separate home. */
export class Clients {
  readonly home = mkdtempSync(join(tmpdir(), 'almanac-clients-'));
  /** A directory that the clients find programs in. */
  readonly programs = join(this.home, 'bin');
  readonly #registry: string;
  readonly #environment: NodeJS.ProcessEnv;

  /** `registry` is host:port, served without TLS. */
  constructor(registry: string) {
    this.#registry = registry;
    const file = (name: string, content: string): string => {
      writeFileSync(join(this.home, name), content);
      return join(this.home, name);
    };
    for (const folder of ['.docker', '.config/containers'])
      mkdirSync(join(this.home, folder), { recursive: true });
    file('.config/containers/registries.conf', `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`);
    this.#environment = {
      PATH: `${this.programs}:${process.env.PATH}`,
      // Tests must not write to the credential store of this machine.
      ALM_CREDENTIAL_STORE: 'none',
      HOME: this.home,
      DOCKER_HOST: process.env.DOCKER_HOST,
      CONTAINERS_CONF: file('containers.conf', containersConf),
      // Of podman and skopeo. It must exist.
      REGISTRY_AUTH_FILE: file('auth.json', '{}'),
    };
  }

  /** The address of an image in the registry, as docker and podman write it. */
  at(image: string): string {
    return `${this.#registry}/${image}`;
  }

  docker(...args: string[]): Promise<Ended> {
    return this.run('docker', args);
  }

  skopeo(...args: string[]): Promise<Ended> {
    return this.run('skopeo', args);
  }

  alm(...args: string[]): Promise<Ended> {
    return this.run(process.execPath, [almProgram, ...args]);
  }

  /** podman with storage that needs no file system features. */
  podman(...args: string[]): Promise<Ended> {
    const storage = ['--root', join(this.home, 'images'), '--runroot', join(this.home, 'run')];
    return this.run('podman', [...storage, '--storage-driver', 'vfs', ...args]);
  }

  login(client: 'docker' | 'podman', username: string, password: string): Promise<Ended> {
    return this.run(client, ['login', '--username', username, '--password-stdin', this.#registry], password);
  }

  /** Copies an image into the registry, with its digest unless another format is wanted. */
  push(source: string, image: string, ...flags: string[]): Promise<Ended> {
    const keep = flags.includes('--format') ? [] : ['--preserve-digests'];
    return this.skopeo('copy', ...keep, ...flags, source, `docker://${this.at(image)}`);
  }

  /** Copies an image from the registry to nowhere that stays. */
  pull(image: string, ...flags: string[]): Promise<Ended> {
    const target = mkdtempSync(join(this.home, 'pulled-'));
    return this.skopeo('copy', ...flags, `docker://${this.at(image)}`, `dir:${target}`);
  }

  /** What `docker login` saved. */
  savedLogin(): Record<string, { auth?: string; identitytoken?: string }> {
    const text = readFileSync(join(this.home, '.docker', 'config.json'), 'utf8');
    return (JSON.parse(text) as { auths?: Record<string, { auth?: string }> }).auths ?? {};
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  async run(program: string, args: readonly string[], input = ''): Promise<Ended> {
    const child = spawn(program, args, { env: this.#environment, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  }
}

/** Standard output of a command that must succeed. */
export async function succeeded(command: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await command;
  if (code !== 0) throw new Error(`It ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}

/** What a command that must fail says. */
export async function failed(command: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await command;
  if (code === 0) throw new Error(`It succeeded: ${stderr}${stdout}`);
  return stderr + stdout;
}
