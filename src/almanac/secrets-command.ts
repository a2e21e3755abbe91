import { realClock } from '../basics/clock.ts';
import type { Config } from '../basics/config.ts';
import {
  newSealingKey,
  readKeyFile,
  readRetiredKeys,
  readSealingKeys,
  replaceKeyFile,
  retireKeys,
  sealingKeyFile,
} from '../basics/sealing-key.ts';
import { type SealingKeys, sealerWithKeys } from '../basics/secret.ts';
import { vouchForOlderKeys } from '../operations/audit/trusted-keys.ts';
import { checkSealingKey } from '../operations/start/first-start.ts';
import { resealEverything } from '../operations/start/rotate-secrets.ts';
import type { Database } from '../store/database/database.ts';
import { withDatabase } from './backup-commands.ts';
import { refuseLostKey } from './start.ts';

const environmentSteps = `The key is in ALM_SECRET_KEY, so you rotate it yourself. "old" is the current key, "new" is the next one:
  1. Generate a key: openssl rand -base64 32
  2. Restart every server with ALM_SECRET_KEY=old,new   (skip this step if you have one server)
  3. Restart every server with ALM_SECRET_KEY=new,old
  4. Run: ALM_SECRET_KEY=new,old almanac secrets rotate
  5. Restart every server with ALM_SECRET_KEY=new
Nothing was changed.
`;

const print = (text: string): void => void process.stdout.write(text);

/** Rejects keys that do not open this database, before anything is changed. */
const rejectWrongKeys = (database: Database, [current, ...others]: SealingKeys): Promise<void> =>
  checkSealingKey({ database, sealer: sealerWithKeys(current, others) });

/** A key file with several keys means that a rotation was interrupted. */
async function rotateFile(database: Database, file: string): Promise<void> {
  const before = readKeyFile(file);
  await rejectWrongKeys(database, before);
  // Fail now rather than at the end if the file is unreadable.
  readRetiredKeys(file);
  if (before.length > 1) print('Resuming an interrupted rotation.\n');
  else replaceKeyFile(file, [newSealingKey(), ...before]);
  const keys = readKeyFile(file);
  await vouchForOlderKeys(database, keys);
  const count = await resealEverything({ database, clock: realClock }, keys);
  retireKeys(file, keys);
  print(
    `Sealed ${count} secrets with the new key in ${file}. Keep a copy of the key, separate from the backups.\n`,
  );
  print(`Older backups need the old key, which is in ${file}.old. Delete it when you no longer need them.\n`);
}

async function rotateEnvironment(database: Database, keys: SealingKeys): Promise<void> {
  if (keys.length === 1) return print(environmentSteps);
  await rejectWrongKeys(database, keys);
  await vouchForOlderKeys(database, keys);
  const count = await resealEverything({ database, clock: realClock }, keys);
  print(`Sealed ${count} secrets with the first key of ALM_SECRET_KEY.\n`);
  print('When every server uses it, run this command again, then restart the servers with that key alone.\n');
}

async function rotateClaimed(database: Database, file: string): Promise<void> {
  const { claimFile } = await import('../store/database/sqlite/claim.ts');
  const release = claimFile(file, `Another almanac process is rotating the key in ${file}.`);
  try {
    await rotateFile(database, file);
  } finally {
    release();
  }
}

export async function secrets(config: Config, [verb]: readonly string[]): Promise<void> {
  if (verb !== 'rotate') throw new Error('Usage: almanac secrets rotate');
  await withDatabase(config, async (database) => {
    await refuseLostKey(config, database);
    const keys = readSealingKeys(config.dataDirectory, config.secretKey);
    if (config.secretKey) await rotateEnvironment(database, keys);
    else await rotateClaimed(database, sealingKeyFile(config.dataDirectory));
  });
}
