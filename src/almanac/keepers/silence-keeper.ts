import type { Log } from '../../basics/log.ts';
import { noticeSilence } from '../../operations/rollouts/watch-silence.ts';
import type { Service } from '../../operations/service.ts';

const everyMs = 30_000;

/** Looks for silent instances every 30 seconds, until the returned function is called. It settles when nothing runs. */
export function watchSilence(service: Service, log: Log): () => Promise<void> {
  let cancelTimer = () => {};
  let working = Promise.resolve();
  const run = async (): Promise<void> => {
    await noticeSilence(service).catch((error: unknown) =>
      log.warn({ err: error }, 'could not look for silent instances'),
    );
    schedule();
  };
  const schedule = () => {
    if (!service.stopping.aborted) cancelTimer = service.clock.after(everyMs, () => void (working = run()));
  };
  schedule();
  return () => {
    cancelTimer();
    return working;
  };
}
