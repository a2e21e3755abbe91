import { execFileSync } from 'node:child_process';
import { type IPty, spawn } from '@lydell/node-pty';
import { eventually } from '../../http.ts';
import { type AlmUser, almProgram } from '../alm.ts';

/** Local shell on a terminal, with `alm` in it: shows the state in which `alm` leaves the terminal. */
export class LocalShell {
  readonly #pty: IPty;
  seen = '';

  constructor(user: AlmUser) {
    // dash never changes terminal settings itself.
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

  /** The exit code of the last command. */
  async code(): Promise<number> {
    await this.shows(/here> $/);
    const mark = `code${this.seen.length}:`;
    this.type(`echo ${mark}$?.\r`);
    const seen = await this.shows(new RegExp(`${mark}(\\d+)\\.`));
    return Number(new RegExp(`${mark}(\\d+)\\.`).exec(seen)?.[1]);
  }

  /** The settings of its terminal, read from outside. */
  settings(): string {
    const [terminal = ''] = execFileSync('ps', ['-o', 'tty=', '-p', String(this.#pty.pid)], {
      encoding: 'utf8',
    }).split('\n');
    return execFileSync('stty', ['-a', '-F', `/dev/${terminal.trim()}`], { encoding: 'utf8' });
  }

  /** The process that currently runs in it. */
  child(): number {
    const pids = execFileSync('ps', ['-o', 'pid=', '--ppid', String(this.#pty.pid)], { encoding: 'utf8' });
    return Number(pids.trim().split('\n')[0]);
  }

  close(): void {
    this.#pty.kill('SIGKILL');
  }
}
