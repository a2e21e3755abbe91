import { after } from '../clock.ts';

const becomesVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = new AbortController();
    const check = (): void => {
      if (document.hidden && !signal.aborted) return;
      done.abort();
      resolve();
    };
    document.addEventListener('visibilitychange', check, { signal: done.signal });
    signal.addEventListener('abort', check, { signal: done.signal });
    check();
  });

interface Terms {
  /** How long the page may be hidden before the work ends, in milliseconds. */
  patience: number;
  signal: AbortSignal;
}

/** Runs `act` and aborts it when the page was hidden for a while. Resolves to true if that happened. */
async function untilHidden(
  act: (signal: AbortSignal) => Promise<unknown>,
  { patience, signal }: Terms,
): Promise<boolean> {
  const hidden = new AbortController();
  const over = new AbortController();
  let cancel = (): void => {};
  const check = (): void => {
    cancel();
    cancel = document.hidden ? after(patience, () => hidden.abort()) : () => {};
  };
  document.addEventListener('visibilitychange', check, { signal: over.signal });
  await act(AbortSignal.any([signal, hidden.signal]));
  over.abort();
  cancel();
  return hidden.signal.aborted;
}

/** Runs `act` while the page is visible, and again each time it becomes visible, until `act` ends by itself. */
export async function whileVisible(
  act: (signal: AbortSignal) => Promise<unknown>,
  terms: Terms,
): Promise<void> {
  let again = true;
  while (again) {
    await becomesVisible(terms.signal);
    if (terms.signal.aborted) return;
    again = await untilHidden(act, terms);
  }
}
