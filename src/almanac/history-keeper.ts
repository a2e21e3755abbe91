import type { RetentionConfig } from '../basics/config/retention.ts';
import type { Log } from '../basics/log.ts';
import { deleteOldHistory } from '../operations/retention/retention.ts';
import type { Service } from '../operations/service.ts';

const everyMs = 6 * 3_600_000;

/** Deletes old history now and every six hours, until the returned function is called. It settles when nothing runs. */
export function keepHistory(service: Service, retention: RetentionConfig, log: Log): () => Promise<void> {
  if (retention.eventsDays === 0 && retention.auditDays === 0) return async () => {};
  let cancelTimer = () => {};
  let working = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      const deleted = await deleteOldHistory(service, retention);
      if (deleted.events + deleted.entries > 0) log.info(deleted, 'deleted old history');
    } catch (error) {
      log.warn({ err: error }, 'could not delete old history');
    }
    if (!service.stopping.aborted) cancelTimer = service.clock.after(everyMs, start);
  };
  const start = () => void (working = run());
  start();
  return () => {
    cancelTimer();
    return working;
  };
}
