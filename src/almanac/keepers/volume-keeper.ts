import { existsSync } from 'node:fs';
import { realClock } from '../../basics/clock.ts';
import type { Config } from '../../basics/config.ts';
import type { Log } from '../../basics/log.ts';
import { openEngine } from '../../docker-engine/engine.ts';
import type { Database } from '../../store/database/database.ts';
import { presenceOfStacks } from '../../store/stacks/stack-presence.ts';
import { VolumeKeeper } from '../../vendors/docker/keep/keeper.ts';
import type { KeepTools, Swept } from '../../vendors/docker/keep/kept-volumes.ts';

const hourMs = 3_600_000;

/** The kept volumes of the docker vendor's engine; null: this machine has none. */
export function keepToolsOf({ docker }: Config): KeepTools | null {
  if (!docker.wanted && !existsSync(docker.socket)) return null;
  const engine = openEngine({ socketPath: docker.socket, clock: realClock });
  return { engine, clock: realClock, keepDays: docker.keepDays };
}

const report = (log: Log, { removed, recorded, failed }: Swept): void => {
  for (const { volume, stackId, until } of removed)
    log.info({ volume, stack_id: stackId, until }, 'removed a kept volume: its time is over');
  for (const { volume, stackId } of recorded)
    log.warn({ volume, stack_id: stackId }, 'found a volume without a stack; keeping it');
  for (const { volume, error } of failed) log.warn({ volume, err: error }, 'could not remove a kept volume');
};

interface KeepingParts {
  config: Config;
  database: Database;
  log: Log;
}

/** Removes kept volumes after their time, until the returned function is called. */
export function keepVolumes({ config, database, log }: KeepingParts): () => Promise<void> {
  const tools = keepToolsOf(config);
  if (!tools) return async () => {};
  const keeper = new VolumeKeeper({
    ...tools,
    presenceOf: (ids) => presenceOfStacks(database.query, ids),
    everyMs: hourMs,
    done: (swept) => report(log, swept),
    failed: (error) => log.warn({ err: error }, 'could not look after the kept volumes'),
  });
  keeper.start();
  return () => keeper.stop();
}
