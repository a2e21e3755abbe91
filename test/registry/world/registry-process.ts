import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../../http.ts';

/** Environment variables in place of values of the configuration. */
type Overrides = Readonly<Record<string, string>>;

/** Debian's docker-registry as a separate process. */
export class RegistryProcess {
  readonly url: string;
  readonly #process: ChildProcess;
  #log = '';

  private constructor(url: string, file: string, overrides: Overrides) {
    this.url = url;
    this.#process = spawn('docker-registry', ['serve', file], {
      env: { PATH: process.env.PATH, ...overrides },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process.on('error', (error) => (this.#log += error.message));
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#log += chunk.toString()));
  }

  /** Starts with the configuration in the file, which makes it listen at the address. */
  static async start(url: string, file: string, overrides: Overrides = {}): Promise<RegistryProcess> {
    const registry = new RegistryProcess(url, file, overrides);
    const status = await eventually(
      () => registry.#status(),
      (found) => found !== 0 || registry.#process.exitCode !== null,
    );
    if (status === 0) throw new Error(`The registry does not start: ${registry.#log}`);
    return registry;
  }

  /** 0 while nothing answers. */
  #status(): Promise<number> {
    return fetch(`${this.url}/v2/`).then(
      ({ status }) => status,
      () => 0,
    );
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'close');
    this.#process.kill('SIGTERM');
    await ended;
  }
}
