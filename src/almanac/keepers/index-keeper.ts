import type { Log } from '../../basics/log.ts';
import { readAbandoned } from '../../operations/registry/images/read-abandoned.ts';
import type { Service } from '../../operations/service.ts';
import { repeat } from './repeat.ts';

const everyMs = 60_000;

/** Reads the registry again after a server ended with events that were not in the index, until the returned function is called. */
export const keepIndex = (service: Service, log: Log): (() => Promise<void>) =>
  repeat(service, everyMs, async () => {
    try {
      if (await readAbandoned(service))
        log.info('read the registry again: a server ended before all its events were in the index');
    } catch (error) {
      log.warn({ err: error }, 'could not read the registry again; tried again in a minute');
    }
  });
