import { type IPty, spawn } from '@lydell/node-pty';
import { eventually } from '../http.ts';
import { type AlmUser, almProgram } from './alm.ts';

/** `alm` on a pseudo-terminal: input and output of a user. */
export class PtySession {
  readonly #pty: IPty;
  /** All output, as a terminal receives it. */
  seen = '';
  #code: number | undefined;

  constructor(
    user: AlmUser,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    size = { cols: 100, rows: 30 },
  ) {
    this.#pty = spawn(process.execPath, [almProgram, ...args], {
      ...size,
      name: 'xterm-256color',
      cwd: user.home,
      env: { ...user.environment, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
    });
    this.#pty.onData((data) => (this.seen += data));
    this.#pty.onExit(({ exitCode }) => (this.#code = exitCode));
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(cols: number, rows: number): void {
    this.#pty.resize(cols, rows);
  }

  /** Waits until the output contains a text. */
  shows(wanted: string | RegExp, seconds = 10): Promise<string> {
    return eventually(
      async () => this.seen,
      (seen) => (typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen)),
      seconds,
    );
  }

  /** Waits for the process to exit. Returns the exit code. */
  async ended(seconds = 15): Promise<number> {
    return (await eventually(
      async () => this.#code,
      (code) => code !== undefined,
      seconds,
    )) as number;
  }

  close(): void {
    if (this.#code === undefined) this.#pty.kill('SIGKILL');
  }
}
