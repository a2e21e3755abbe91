import { spawnSync } from 'node:child_process';
import type { System } from '../system.ts';

export interface Size {
  cols: number;
  rows: number;
}

const maxCells = 1000;

/**
 * What a program that was cut off may have left behind: colours, a hidden cursor, the other screen, mouse reports, marked pastes,
 * keys in another mode. All of it is harmless where nothing was left.
 */
const tidyScreen =
  '\u001B[0m\u001B[?25h\u001B[?1047l\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l\u001B[?2004l\u001B[?1l\u001B>';

/**
 * Node's raw mode still makes every line feed a carriage return as well, where programs with the whole screen mean just one line
 * down. Only `stty` can tell the terminal; where there is none, that is how it stays. Leaving the raw mode undoes it.
 */
const leaveOutputAlone = (): void =>
  void spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });

/** The terminal `alm` runs in. */
export class LocalTerminal {
  readonly #system: Pick<System, 'stdin' | 'stdout' | 'stderr'>;
  #stopReading: (() => void) | null = null;

  constructor(system: Pick<System, 'stdin' | 'stdout' | 'stderr'>) {
    this.#system = system;
  }

  /** Null where nothing we write to is a terminal, or where it does not know. */
  get size(): Size | null {
    const { stdout, stderr } = this.#system;
    const screen = stdout.isTTY ? stdout : stderr;
    if (!screen.isTTY || !screen.columns || !screen.rows) return null;
    return { cols: Math.min(screen.columns, maxCells), rows: Math.min(screen.rows, maxCells) };
  }

  /** Calls back when its size has changed, until told not to. */
  onResize(callback: () => void): () => void {
    const { stdout, stderr } = this.#system;
    const screen = stdout.isTTY ? stdout : stderr;
    screen.on('resize', callback);
    return () => void screen.off('resize', callback);
  }

  /** From now every key is handed on as its bytes, Ctrl-C too. Whatever was typed before comes first. */
  read(typed: (bytes: Buffer) => void, gone: () => void): void {
    const { stdin } = this.#system;
    stdin.setRawMode(true);
    leaveOutputAlone();
    stdin.on('data', typed);
    stdin.on('end', gone);
    stdin.on('error', gone);
    // Who listens for errors stays: one may still come from a terminal that has gone.
    this.#stopReading = () => {
      stdin.off('data', typed);
      stdin.off('end', gone);
      stdin.pause();
      // Where the terminal itself has gone there is nothing to restore.
      if (!stdin.destroyed) stdin.setRawMode(false);
    };
  }

  /** The keys wait while the other end takes none. */
  holdKeys(isHeld: boolean): void {
    const { stdin } = this.#system;
    if (isHeld) stdin.pause();
    else if (this.#stopReading) stdin.resume();
  }

  /** False when it is full. */
  show(bytes: Buffer): boolean {
    return this.#system.stdout.write(bytes);
  }

  /** Calls back once it is no longer full. */
  onceDrained(callback: () => void): void {
    this.#system.stdout.once('drain', callback);
  }

  /** As it was before. Where a program may have been cut off, the screen is tidied as well. */
  restore({ isCutOff }: { isCutOff: boolean }): void {
    this.#stopReading?.();
    if (isCutOff && this.#stopReading && this.#system.stdout.isTTY)
      this.#system.stdout.write(`${tidyScreen}\r\n`);
    this.#stopReading = null;
  }
}
