import { realClock } from '../basics/clock.ts';
import type { Config } from '../basics/config.ts';
import { checkSealingKey } from '../operations/start/first-start.ts';
import { restoreBackup, writeBackup } from '../store/database/backup.ts';
import type { Database } from '../store/database/database.ts';
import { attachDatabase } from '../store/database/open-database.ts';
import { recordRestore } from './checkpoints.ts';
import { makeService } from './make-service.ts';
import { refuseLostKey } from './start.ts';

const fileArgument = (command: string, [file]: readonly string[]): string => {
  if (file) return file;
  throw new Error(`Missing argument. Usage: almanac ${command} <file>`);
};

/** Past a pooler, whose connections may have the time limits of a running server. */
export async function withDatabase(
  config: Config,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await attachDatabase(config.listenDatabaseUrl ?? config.databaseUrl);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

export async function backup(config: Config, args: readonly string[]): Promise<void> {
  const file = fileArgument('backup', args);
  await withDatabase(config, (database) => writeBackup(database, file));
  process.stdout.write(
    `Saved to ${file}. The sealing key is not in the backup: keep a copy of secret.key (or ALM_SECRET_KEY) in another place.\n`,
  );
}

/** Rejects a backup that this server's key cannot open, before anything is replaced. */
export async function restore(config: Config, args: readonly string[]): Promise<void> {
  const file = fileArgument('restore', args);
  await withDatabase(config, async (database) => {
    await refuseLostKey(config, database);
    const { sealer } = makeService({ config, database, clock: realClock });
    const check = (query: Database['query']) => checkSealingKey({ sealer, database: { ...database, query } });
    await restoreBackup(database, file, { now: realClock.now(), check });
    await recordRestore(config, database);
  });
  process.stdout.write(`Restored from ${file}. Running servers use the restored data immediately.\n`);
}
