import { realClock } from '../../basics/clock.ts';
import type { Config } from '../../basics/config.ts';
import type { Service } from '../../operations/service.ts';
import { checkSealingKey } from '../../operations/start/first-start.ts';
import { withDatabase } from '../backup-commands.ts';
import { makeService } from '../make-service.ts';
import { refuseLostKey } from '../start.ts';

/** One verb of `almanac registry`. */
export interface RegistryVerb {
  /** Lines of the help. */
  help: string;
  run(config: Config, args: readonly string[]): Promise<void>;
}

/** Runs beside the servers, with the same database and key. */
export const withService = (config: Config, work: (service: Service) => Promise<void>): Promise<void> =>
  withDatabase(config, async (database) => {
    await refuseLostKey(config, database);
    const service = makeService({ config, database, clock: realClock });
    await checkSealingKey(service);
    await work(service);
  });
