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
import { checkSealingKey } from '../operations/start/first-start.ts';
import { resealEverything } from '../operations/start/rotate-secrets.ts';
import type { Database } from '../store/database/database.ts';
import { withDatabase } from './backup-commands.ts';
import { refuseLostKey } from './start.ts';

const environmentSteps = `The key is in ALM_SECRET_KEY, so changing it is up to you. Old is the key of now, new the next one:
  1. Make one: openssl rand -base64 32
  2. Start every server with ALM_SECRET_KEY=old,new   (with one server, go on to 3)
  3. Start every server with ALM_SECRET_KEY=new,old
  4. ALM_SECRET_KEY=new,old almanac secrets rotate
  5. Start every server with ALM_SECRET_KEY=new
Nothing was changed now.
`;

const say = (text: string): void => void process.stdout.write(text);

/** With a key that is not this database's nothing may be begun. */
const refuseOtherKeys = (database: Database, [current, ...others]: SealingKeys): Promise<void> =>
  checkSealingKey({ database, sealer: sealerWithKeys(current, others) });

/** The file itself tells how far a change has come: while it holds several keys, one is under way. */
async function rotateFile(database: Database, file: string): Promise<void> {
  const before = readKeyFile(file);
  await refuseOtherKeys(database, before);
  // Better unreadable now than at the end.
  readRetiredKeys(file);
  if (before.length > 1) say('A change of the key was begun before; finishing it.\n');
  else replaceKeyFile(file, [newSealingKey(), ...before]);
  const keys = readKeyFile(file);
  const count = await resealEverything({ database, clock: realClock }, keys);
  retireKeys(file, keys);
  say(`Sealed ${count} secrets with the new key in ${file}. Keep a copy of it, apart from the backups;\n`);
  say(
    `backups from before open with the old key only: it is in ${file}.old, delete it when none needs it.\n`,
  );
}

async function rotateEnvironment(database: Database, keys: SealingKeys): Promise<void> {
  if (keys.length === 1) return say(environmentSteps);
  await refuseOtherKeys(database, keys);
  const count = await resealEverything({ database, clock: realClock }, keys);
  say(`Sealed ${count} secrets with the first key of ALM_SECRET_KEY.\n`);
  say('When every server seals with it, run this once more, then start them with that key alone.\n');
}

async function rotateClaimed(database: Database, file: string): Promise<void> {
  const { claimFile } = await import('../store/database/sqlite-claim.ts');
  const release = claimFile(file, `The key in ${file} is being changed by another almanac already.`);
  try {
    await rotateFile(database, file);
  } finally {
    release();
  }
}

export async function secrets(config: Config, [verb]: readonly string[]): Promise<void> {
  if (verb !== 'rotate') throw new Error('Say what to do: almanac secrets rotate');
  await withDatabase(config, async (database) => {
    await refuseLostKey(config, database);
    const keys = readSealingKeys(config.dataDirectory, config.secretKey);
    if (config.secretKey) await rotateEnvironment(database, keys);
    else await rotateClaimed(database, sealingKeyFile(config.dataDirectory));
  });
}
