/** Requests wait at a gate for something that the user does in a dialog. */
export interface Gate<Result> {
  /** Resolves after the dialog. Opens it. */
  wait: () => Promise<Result>;
  /** The dialog is done: all that waited go on. */
  open: (result: Result) => void;
  isClosed: () => boolean;
  /** Calls back with every change. Returns how to stop. */
  watch: (listener: () => void) => () => void;
}

export function makeGate<Result>(): Gate<Result> {
  let waiting: { promise: Promise<Result>; resolve: (result: Result) => void } | null = null;
  const listeners = new Set<() => void>();
  const change = (next: typeof waiting): void => {
    waiting = next;
    for (const listener of listeners) listener();
  };
  return {
    wait() {
      if (waiting) return waiting.promise;
      let resolve: (result: Result) => void = () => {};
      const promise = new Promise<Result>((settle) => {
        resolve = settle;
      });
      change({ promise, resolve });
      return promise;
    },
    open(result) {
      waiting?.resolve(result);
      change(null);
    },
    isClosed: () => waiting !== null,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
