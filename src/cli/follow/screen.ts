import type { Clock } from '../../basics/clock.ts';

/** Where the progress is shown, beside lines that are said in between. */
export interface Screen {
  /** Says lines. They come above what is shown. */
  around(say: () => void): void;
  close(): void;
}

const redrawMs = 200;
const clearLine = '\r\u001B[K';

/**
 * One line at the bottom of a terminal, drawn again and again. The cursor is never hidden: whatever ends the program,
 * there is nothing to bring back.
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
    around: (say) => {
      if (isOpen) stderr.write(clearLine);
      say();
      if (isOpen) draw();
    },
    close: () => {
      cancel();
      if (isOpen) stderr.write(clearLine);
      isOpen = false;
    },
  };
}

const quietMs = 30_000;

/** Lines alone; after a while without any, one that it is still going on. */
export function plainScreen(clock: Clock, remind: () => void): Screen {
  let isOpen = true;
  let cancel = () => {};
  const start = (): void => {
    cancel();
    if (!isOpen) return;
    cancel = clock.after(quietMs, () => {
      remind();
      start();
    });
  };
  start();
  return {
    around: (say) => {
      say();
      start();
    },
    close: () => {
      isOpen = false;
      cancel();
    },
  };
}
