import { execFileSync } from 'node:child_process';
import { type IPty, spawn } from '@lydell/node-pty';
import { eventually } from '../../http.ts';
import { type AlmUser, almProgram } from '../alm.ts';

/** A person's shell on a terminal of their own, with `alm` in it: what is left of the terminal afterwards shows here. */
export class LocalShell {
  readonly #pty: IPty;
  seen = '';

  constructor(user: AlmUser) {
    // Of all shells this one never touches the terminal itself.
    this.#pty = spawn('dash', ['-i'], {
      cols: 120,
      rows: 40,
      cwd: user.home,
      env: { ...user.environment, TERM: 'xterm-256color', LANG: 'C.UTF-8', PS1: 'here> ' },
    });
    this.#pty.onData((data) => (this.seen += data));
    this.type(`alm() { '${process.execPath}' '${almProgram}' "$@"; }\r`);
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  shows(wanted: string | RegExp, seconds = 10): Promise<string> {
    return eventually(
      async () => this.seen,
      (seen) => (typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen)),
      seconds,
    );
  }

  /** The exit code of what ran last. */
  async code(): Promise<number> {
    await this.shows(/here> $/);
    const mark = `code${this.seen.length}:`;
    this.type(`echo ${mark}$?.\r`);
    const seen = await this.shows(new RegExp(`${mark}(\\d+)\\.`));
    return Number(new RegExp(`${mark}(\\d+)\\.`).exec(seen)?.[1]);
  }

  /** How its terminal is set, without running anything in it. */
  settings(): string {
    const [terminal = ''] = execFileSync('ps', ['-o', 'tty=', '-p', String(this.#pty.pid)], {
      encoding: 'utf8',
    }).split('\n');
    return execFileSync('stty', ['-a', '-F', `/dev/${terminal.trim()}`], { encoding: 'utf8' });
  }

  /** The process that runs in it now. */
  child(): number {
    const pids = execFileSync('ps', ['-o', 'pid=', '--ppid', String(this.#pty.pid)], { encoding: 'utf8' });
    return Number(pids.trim().split('\n')[0]);
  }

  close(): void {
    this.#pty.kill('SIGKILL');
  }
}
