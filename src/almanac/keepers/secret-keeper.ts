import type { Log } from '../../basics/log.ts';
import type { Service } from '../../operations/service.ts';
import { giveUngivenSecrets } from '../../operations/stacks/change/set-secret.ts';
import { repeat } from './repeat.ts';

const everyMs = 10_000;

/** Gives new values of secrets to stacks that a request did not reach, until the returned function is called. */
export const giveSecrets = (service: Service, log: Log): (() => Promise<void>) =>
  repeat(service, everyMs, () => {
    const warn = (error: unknown, secret?: { account_id: string; name: string }) =>
      log.warn(
        { err: error, account: secret?.account_id, secret: secret?.name },
        'could not give a new value of a secret to all stacks',
      );
    return giveUngivenSecrets(service, warn).catch(warn);
  });
