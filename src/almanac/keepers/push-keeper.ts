import type { Log } from '../../basics/log.ts';
import { deployDue } from '../../operations/automatic/deploy-tracked.ts';
import type { Service } from '../../operations/service.ts';

const everyMs = 1000;

/** Deploys what was pushed, until the returned function is called. It settles when nothing runs. */
export function deployPushes(service: Service, log: Log): () => Promise<void> {
  let cancelTimer = () => {};
  let working = Promise.resolve();
  const failed = (error: unknown) => log.warn({ err: error }, 'could not deploy what was pushed');
  const run = async (): Promise<void> => {
    await deployDue(service, failed).catch(failed);
    if (!service.stopping.aborted) wait();
  };
  const wait = () => {
    cancelTimer = service.clock.after(everyMs, () => void (working = run()));
  };
  wait();
  return () => {
    cancelTimer();
    return working;
  };
}
