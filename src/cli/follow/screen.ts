import type { Clock } from '../../basics/clock.ts';

/** Area that shows the progress below the printed lines. */
export interface Screen {
  /** Prints lines above the progress. */
  print(write: () => void): void;
  close(): void;
}

const redrawMs = 100;
/** Each frame wraps no lines, and leaves the terminal as it was. */
const [noWrap, wrap] = ['\u001B[?7l', '\u001B[?7h'];
const [clearLine, clearBelow] = ['\u001B[K', '\u001B[J'];

/**
 * Lines at the bottom of a terminal, redrawn periodically; the last ones stay. The cursor is never hidden, so nothing needs to
 * be restored when the program is killed.
 */
export function liveScreen(
  clock: Clock,
  stderr: { write(text: string): unknown },
  frame: (isOver: boolean) => readonly string[],
): Screen {
  let cancel = () => {};
  let isOpen = true;
  let height = 0;
  const toTop = (): string => (height > 0 ? `\r\u001B[${height}A` : '\r');
  const draw = (): void => {
    const lines = frame(!isOpen);
    const text = lines.map((line) => `${line}${clearLine}\n`).join('');
    stderr.write(`${toTop()}${noWrap}${text}${clearBelow}${wrap}`);
    height = lines.length;
  };
  const tick = (): void => {
    cancel = clock.after(redrawMs, () => {
      draw();
      tick();
    });
  };
  draw();
  tick();
  return {
    print: (write) => {
      if (!isOpen) return write();
      stderr.write(`${toTop()}${clearBelow}`);
      height = 0;
      write();
      draw();
    },
    close: () => {
      if (!isOpen) return;
      cancel();
      isOpen = false;
      draw();
    },
  };
}

const heartbeatMs = 30_000;

/** Lines without a live area; prints a heartbeat after 30 s of silence. */
export function plainScreen(clock: Clock, heartbeat: () => void): Screen {
  let isOpen = true;
  let cancel = () => {};
  const start = (): void => {
    cancel();
    if (!isOpen) return;
    cancel = clock.after(heartbeatMs, () => {
      heartbeat();
      start();
    });
  };
  start();
  return {
    print: (write) => {
      write();
      start();
    },
    close: () => {
      isOpen = false;
      cancel();
    },
  };
}
