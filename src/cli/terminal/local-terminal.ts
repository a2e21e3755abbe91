import { spawnSync } from 'node:child_process';
import type { System } from '../system.ts';

export interface Size {
  cols: number;
  rows: number;
}

const maxCells = 1000;

/**
 * Resets what an interrupted program may have changed: colours, a hidden cursor, the alternate screen, mouse reports, bracketed
 * paste, key modes. Has no effect on a terminal in its normal state.
 */
const resetSequence =
  '\u001B[0m\u001B[?25h\u001B[?1047l\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l\u001B[?2004l\u001B[?1l\u001B>';

/**
 * Turns off output processing: Node's raw mode still adds a carriage return to every line feed, which breaks full-screen programs.
 * Only `stty` can change it; without `stty` it stays on. Leaving the raw mode restores it.
 */
const disableOutputProcessing = (): void =>
  void spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });

/** The terminal `alm` runs in. */
export class LocalTerminal {
  readonly #system: Pick<System, 'stdin' | 'stdout' | 'stderr'>;
  #stopReading: (() => void) | null = null;

  constructor(system: Pick<System, 'stdin' | 'stdout' | 'stderr'>) {
    this.#system = system;
  }

  /** Null when no output is a terminal, or when its size is unknown. */
  get size(): Size | null {
    const { stdout, stderr } = this.#system;
    const screen = stdout.isTTY ? stdout : stderr;
    if (!screen.isTTY || !screen.columns || !screen.rows) return null;
    return { cols: Math.min(screen.columns, maxCells), rows: Math.min(screen.rows, maxCells) };
  }

  /** Calls back after each change of the size; returns a function that stops it. */
  onResize(callback: () => void): () => void {
    const { stdout, stderr } = this.#system;
    const screen = stdout.isTTY ? stdout : stderr;
    screen.on('resize', callback);
    return () => void screen.off('resize', callback);
  }

  /** Enters raw mode and passes on every byte typed, Ctrl-C included, starting with input typed earlier. */
  read(onInput: (bytes: Buffer) => void, onClosed: () => void): void {
    const { stdin } = this.#system;
    stdin.setRawMode(true);
    disableOutputProcessing();
    stdin.on('data', onInput);
    stdin.on('end', onClosed);
    stdin.on('error', onClosed);
    // The error listener stays: a closed terminal may still report an error.
    this.#stopReading = () => {
      stdin.off('data', onInput);
      stdin.off('end', onClosed);
      stdin.pause();
      // A closed terminal cannot be restored.
      if (!stdin.destroyed) stdin.setRawMode(false);
    };
  }

  /** Pauses input while the connection is congested. */
  pauseInput(isPaused: boolean): void {
    const { stdin } = this.#system;
    if (isPaused) stdin.pause();
    else if (this.#stopReading) stdin.resume();
  }

  /** Writes output; false when the buffer is full. */
  write(bytes: Buffer): boolean {
    return this.#system.stdout.write(bytes);
  }

  /** Calls back once the output buffer has drained. */
  onceDrained(callback: () => void): void {
    this.#system.stdout.once('drain', callback);
  }

  /** Restores the terminal; also resets the screen when a remote program may have been interrupted. */
  restore({ wasInterrupted }: { wasInterrupted: boolean }): void {
    this.#stopReading?.();
    if (wasInterrupted && this.#stopReading && this.#system.stdout.isTTY)
      this.#system.stdout.write(`${resetSequence}\r\n`);
    this.#stopReading = null;
  }
}
