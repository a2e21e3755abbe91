import { execFileSync } from 'node:child_process';
import { randomHex } from '../../src/basics/random.ts';
import type { Network } from './own-postgres.ts';

const run = (...argv: string[]): void => {
  const [program = '', ...args] = argv;
  execFileSync(program, args, { stdio: 'pipe' });
};

/** A network of its own, whose packets can be dropped without a word to either end. */
export class BlackHole {
  readonly #name = `alm${randomHex(4)}`;
  readonly #subnet: string;

  private constructor() {
    this.#subnet = `10.231.${process.pid % 250}`;
  }

  /** Returns the reason if this machine or its user cannot do it. */
  static make(): BlackHole | string {
    const hole = new BlackHole();
    try {
      hole.#connect();
      hole.open();
      hole.close();
      return hole;
    } catch (error) {
      hole.remove();
      return `no network namespace with iptables: ${String(error).split('\n', 1)[0]}`;
    }
  }

  #connect(): void {
    const [name, inside] = [this.#name, `${this.#name}n`];
    run('ip', 'netns', 'add', name);
    run('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', inside, 'netns', name);
    run('ip', 'addr', 'add', `${this.#subnet}.1/30`, 'dev', name);
    run('ip', 'link', 'set', name, 'up');
    run('ip', '-n', name, 'addr', 'add', `${this.#subnet}.2/30`, 'dev', inside);
    run('ip', '-n', name, 'link', 'set', inside, 'up');
    run('ip', '-n', name, 'link', 'set', 'lo', 'up');
  }

  get network(): Network {
    return { address: `${this.#subnet}.2`, prefix: ['ip', 'netns', 'exec', this.#name] };
  }

  /** From now on every packet disappears. */
  open(): void {
    for (const end of [
      ['INPUT', '-i'],
      ['OUTPUT', '-o'],
    ])
      run('ip', 'netns', 'exec', this.#name, 'iptables', '-A', ...end, `${this.#name}n`, '-j', 'DROP');
  }

  close(): void {
    run('ip', 'netns', 'exec', this.#name, 'iptables', '-F');
  }

  remove(): void {
    try {
      run('ip', 'netns', 'del', this.#name);
    } catch {
      // It was never made.
    }
  }
}
