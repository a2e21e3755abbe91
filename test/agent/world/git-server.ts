import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { basename, dirname } from 'node:path';
import { eventually } from '../../http.ts';
import { freePort } from './fake-engine.ts';

const answers = (host: string, port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, host, () => done(true)).on('error', () => done(false));
    socket.unref();
  });

/** A real git server for the repositories in one directory. */
export class GitServer {
  #daemon: ChildProcess | undefined;
  #root = '';

  /** The address is one that those who fetch can reach. */
  async start(repository: string, address = '127.0.0.1'): Promise<void> {
    const port = await freePort();
    const directory = dirname(repository);
    const argv = ['daemon', '--export-all', '--reuseaddr', `--base-path=${directory}`];
    this.#daemon = spawn('git', [...argv, `--listen=${address}`, `--port=${port}`, directory], {
      stdio: 'ignore',
      // The daemon is a child of `git`, which does not pass signals on.
      detached: true,
    });
    this.#root = `git://${address}:${port}`;
    this.url = this.urlOf(repository);
    await eventually(() => answers(address, port), Boolean);
  }

  url = '';

  urlOf(repository: string): string {
    return `${this.#root}/${basename(repository)}`;
  }

  stop(): void {
    if (this.#daemon?.pid !== undefined) process.kill(-this.#daemon.pid, 'SIGKILL');
  }
}
