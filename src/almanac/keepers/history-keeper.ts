import type { Config } from '../../basics/config.ts';
import type { Log } from '../../basics/log.ts';
import { watchSealingKeys } from '../../basics/sealing-key.ts';
import { signingKeyOf } from '../../operations/audit/checkpoint-key.ts';
import { deleteOldHistory } from '../../operations/retention/retention.ts';
import type { Service } from '../../operations/service.ts';

const everyMs = 6 * 3_600_000;

/** Deletes old history now and every six hours, until the returned function is called. It settles when nothing runs. */
export function keepHistory(service: Service, config: Config, log: Log): () => Promise<void> {
  const { retention, dataDirectory, secretKey } = config;
  if (retention.eventsDays === 0 && retention.auditDays === 0) return async () => {};
  const keys = watchSealingKeys(dataDirectory, secretKey);
  const tools = { ...service, signingKey: () => signingKeyOf(keys()[0]) };
  let cancelTimer = () => {};
  let working = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      const deleted = await deleteOldHistory(tools, retention);
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
