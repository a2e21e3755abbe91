import type { Clock } from '../../basics/clock.ts';

/** Area that shows the progress below the printed lines. */
export interface Screen {
  /** Prints lines above the progress. */
  print(write: () => void): void;
  close(): void;
}

const redrawMs = 200;
const clearLine = '\r\u001B[K';

/**
 * One line at the bottom of a terminal, redrawn periodically. The cursor is never hidden, so nothing needs to be restored
 * when the program is killed.
 */
export function liveScreen(
  clock: Clock,
  stderr: { write(text: string): unknown },
  text: () => string,
): Screen {
  let cancel = () => {};
  let isOpen = true;
  const draw = (): void => {
    stderr.write(`\r${text()}\u001B[K`);
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
      if (isOpen) stderr.write(clearLine);
      write();
      if (isOpen) draw();
    },
    close: () => {
      cancel();
      if (isOpen) stderr.write(clearLine);
      isOpen = false;
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
