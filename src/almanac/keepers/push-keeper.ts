import type { Log } from '../../basics/log.ts';
import { deployDue } from '../../operations/automatic/deploy-tracked.ts';
import type { Service } from '../../operations/service.ts';
import { repeat } from './repeat.ts';

const everyMs = 1000;

/** Deploys what was pushed, until the returned function is called. It settles when nothing runs. */
export function deployPushes(service: Service, log: Log): () => Promise<void> {
  const failed = (error: unknown) => log.warn({ err: error }, 'could not deploy what was pushed');
  return repeat(service, everyMs, () => deployDue(service, failed).catch(failed));
}
