import type { Service } from '../../operations/service.ts';

/** Does the work again and again, with this pause, until the returned function is called, which settles when nothing runs. */
export function repeat(
  { clock, stopping }: Pick<Service, 'clock' | 'stopping'>,
  everyMs: number,
  work: () => Promise<void>,
): () => Promise<void> {
  let cancelTimer = () => {};
  let working = Promise.resolve();
  const run = async (): Promise<void> => {
    await work();
    if (!stopping.aborted) wait();
  };
  const wait = () => {
    cancelTimer = clock.after(everyMs, () => void (working = run()));
  };
  wait();
  return () => {
    cancelTimer();
    return working;
  };
}
