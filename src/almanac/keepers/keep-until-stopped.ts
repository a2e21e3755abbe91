import type { Config } from '../../basics/config.ts';
import type { Log } from '../../basics/log.ts';
import type { Service } from '../../operations/service.ts';
import { keepHistory } from './history-keeper.ts';
import { keepIndex } from './index-keeper.ts';
import { deployPushes } from './push-keeper.ts';
import { giveSecrets } from './secret-keeper.ts';
import { watchSilence } from './silence-keeper.ts';
import { keepVolumes } from './volume-keeper.ts';

/** Work in the background besides the passes: limits what is kept, deploys what was pushed, gives new values of secrets, and notices silent instances. */
export function keepUntilStopped(config: Config, service: Service, log: Log): () => Promise<void> {
  const stopVolumes = keepVolumes({ config, database: service.database, log });
  const stopHistory = keepHistory(service, config, log);
  const stopPushes = deployPushes(service, log);
  const stopIndex = keepIndex(service, log);
  const stopWatching = watchSilence(service, log);
  const stopGiving = giveSecrets(service, log);
  return async () => {
    await stopGiving();
    await stopWatching();
    await stopIndex();
    await stopPushes();
    await stopVolumes();
    await stopHistory();
  };
}
