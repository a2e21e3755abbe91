import type { Clock } from '../../basics/clock.ts';
import { type Sealer, type SealingKeys, sealedPrefix, sealerWithKeys } from '../../basics/secret.ts';
import type { Database } from '../../store/database/database.ts';
import { findOutdatedSeals, replaceSealedText, type SealedText } from '../../store/database/sealed-texts.ts';
import { sealedFor } from '../service.ts';
import { keyCheckContext } from './first-start.ts';

const batchSize = 50;
/**
 * After this time, every secret sealed with the old key before the new one was available is stored: longer than the longest
 * wait for the database (SQLite's busy_timeout is 10 s).
 */
const defaultQuietMs = 15_000;

const contextOf = (text: SealedText): string => {
  switch (text.place) {
    case 'auth token':
      return sealedFor.authToken(text.stackId);
    case 'credential':
      return sealedFor.credential(text.accountId, text.vendor, text.id);
    case 'version secret':
      return sealedFor.stackSecret(text.stackId, text.name);
    case 'stack key':
      return sealedFor.stackKey(text.stackId, text.flag);
    case 'second factor':
      return sealedFor.secondFactor(text.userId);
    case 'registry key':
      return sealedFor.registryKey(text.id);
    case 'deploy hook':
      return sealedFor.deployHook(text.id);
    case 'account secret':
      return sealedFor.accountSecret(text.accountId, text.name);
    case 'meta':
      return text.key === 'key_check' ? keyCheckContext : sealedFor.registryHttp;
  }
};

function reseal(sealer: Sealer, text: SealedText): string {
  const context = contextOf(text);
  try {
    return sealer.seal(sealer.unseal(text.sealed, context), context);
  } catch (cause) {
    throw new Error(
      `The secret sealed for "${context}" cannot be unsealed with any of the keys. Append the key that sealed it and run the command again; nothing is lost.`,
      { cause },
    );
  }
}

/** Reseals one batch in one transaction. Returns its size. */
const resealBatch = (database: Database, sealer: Sealer, current: string): Promise<number> =>
  database.transaction(async (query) => {
    const found = await findOutdatedSeals(query, current, batchSize);
    for (const text of found) await replaceSealedText(query, text, reseal(sealer, text));
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
 * Seals everything with the first of the keys, even while servers that know all of them run. Ends when no other secret has
 * appeared for a while: only then may the other keys be discarded. Safe to run again after an interruption.
 */
export async function resealEverything(
  { database, clock, quietMs = defaultQuietMs }: { database: Database; clock: Clock; quietMs?: number },
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
