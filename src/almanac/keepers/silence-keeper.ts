import type { Log } from '../../basics/log.ts';
import { noticeSilence } from '../../operations/rollouts/watch-silence.ts';
import type { Service } from '../../operations/service.ts';
import { repeat } from './repeat.ts';

const everyMs = 30_000;

/** Looks for silent instances every 30 seconds, until the returned function is called. It settles when nothing runs. */
export const watchSilence = (service: Service, log: Log): (() => Promise<void>) =>
  repeat(service, everyMs, () =>
    noticeSilence(service).catch((error: unknown) =>
      log.warn({ err: error }, 'could not look for silent instances'),
    ),
  );
