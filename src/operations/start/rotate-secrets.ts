import type { Clock } from '../../basics/clock.ts';
import { type Sealer, type SealingKeys, sealedPrefix, sealerWithKeys } from '../../basics/secret.ts';
import type { Database } from '../../store/database/database.ts';
import { findOutdatedSeals, replaceSealedText, type SealedText } from '../../store/database/sealed-texts.ts';
import { sealedFor } from '../service.ts';
import { keyCheckContext } from './first-start.ts';

const batchSize = 50;
/**
 * Whoever sealed with the old key just before the new one was there has stored it after this time: longer than anybody
 * waits for the database (SQLite's busy_timeout is 10 s).
 */
const standardQuietMs = 15_000;

const contextOf = (text: SealedText): string => {
  switch (text.place) {
    case 'auth token':
      return sealedFor.authToken(text.stackId);
    case 'credential':
      return sealedFor.credential(text.accountId, text.vendor, text.id);
    case 'version secret':
      return sealedFor.stackSecret(text.stackId, text.name);
    case 'meta':
      return keyCheckContext;
  }
};

function sealAgain(sealer: Sealer, text: SealedText): string {
  const context = contextOf(text);
  try {
    return sealer.seal(sealer.unseal(text.sealed, context), context);
  } catch (cause) {
    throw new Error(
      `What is sealed for "${context}" does not open with any key given. Add the key that sealed it after the others, and run it again; nothing is lost.`,
      { cause },
    );
  }
}

/** One batch, in one transaction; how many were found. */
const resealBatch = (database: Database, sealer: Sealer, current: string): Promise<number> =>
  database.transaction(async (query) => {
    const found = await findOutdatedSeals(query, current, batchSize);
    for (const text of found) await replaceSealedText(query, text, sealAgain(sealer, text));
    return found.length;
  });

async function resealAll(database: Database, keys: SealingKeys): Promise<number> {
  const [current, ...others] = keys;
  const sealer = sealerWithKeys(current, others);
  let count = 0;
  for (;;) {
    const found = await resealBatch(database, sealer, sealedPrefix(current));
    if (found === 0) return count;
    count += found;
  }
}

/**
 * Seals everything with the first of the keys, also while servers run that know them all. Ends when nothing else has come
 * up for a while: only then may the other keys be forgotten. Cut off anywhere, it is just run again.
 */
export async function resealEverything(
  { database, clock, quietMs = standardQuietMs }: { database: Database; clock: Clock; quietMs?: number },
  keys: SealingKeys,
): Promise<number> {
  let count = await resealAll(database, keys);
  for (;;) {
    await new Promise<void>((resolve) => clock.after(quietMs, resolve));
    const late = await resealAll(database, keys);
    if (late === 0) return count;
    count += late;
  }
}
