/** Requests wait here while the user signs in again. */
let waiting: { promise: Promise<void>; open: () => void } | null = null;
const listeners = new Set<() => void>();

const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Resolves after the user has signed in again. Opens the sign-in dialog. */
export function signedInAgain(): Promise<void> {
  if (waiting) return waiting.promise;
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  waiting = { promise, open };
  tell();
  return promise;
}

/** The user has signed in: the waiting requests are repeated. */
export function openGate(): void {
  waiting?.open();
  waiting = null;
  tell();
}

export const isGateClosed = (): boolean => waiting !== null;

export const onGate = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
