import type { Config } from '../basics/config.ts';
import { lacksSealingKey } from '../basics/sealing-key.ts';
import { checkChains } from '../operations/audit/audit-chain.ts';
import type { Anchors } from '../operations/audit/checkpoint.ts';
import { withDatabase } from './backup-commands.ts';
import { readAnchors, readTrustedKeys } from './checkpoints.ts';

const print = (text: string): void => void process.stdout.write(text);

const countOf = (anchors: Anchors): number => [...anchors.values()].reduce((sum, { size }) => sum + size, 0);

const keyRequired =
  'The checkpoints cannot be verified without the sealing key. Set ALM_SECRET_KEY, or ALM_DATA to the directory of secret.key.';

/** The chains are intact, but nothing shows that none was cut off or replaced by another. */
const withoutCheckpoints = 2;

function warnIfNotAnchored(entries: number, checkpoints: number): void {
  if (entries === 0 || checkpoints > 0) return;
  process.stderr.write(
    'almanac: Warning: there is no checkpoint to compare the log with, so a log that was cut off or replaced would not be noticed. A server writes the first one within ALM_AUDIT_CHECKPOINT_SECONDS to ALM_AUDIT_CHECKPOINTS; name other files as arguments.\n',
  );
  process.exitCode = withoutCheckpoints;
}

/** Checks the chain of every account against its checkpoints; throws at the first entry that does not match. */
export async function audit(config: Config, [verb, ...files]: readonly string[]): Promise<void> {
  if (verb !== 'verify') throw new Error('Usage: almanac audit verify [checkpoint file …]');
  await withDatabase(config, async (database) => {
    // Without the key, which a check must not create, only the chain itself can be checked.
    const hasKey = !lacksSealingKey(config.dataDirectory, config.secretKey);
    if (!hasKey && files.length > 0) throw new Error(keyRequired);
    const trusted = hasKey ? await readTrustedKeys(config, database) : undefined;
    const anchors: Anchors = trusted ? await readAnchors(config, trusted, files) : new Map();
    let total = 0;
    for await (const check of checkChains(database.query, anchors, trusted)) {
      if (!check.isIntact)
        throw new Error(
          `Entry ${check.number} of account ${check.accountId} ${check.problem}. Compare the log with an export or a backup from before.`,
        );
      total += check.entries;
      const older = check.deleted > 0 ? `, ${check.deleted} older ones deleted because of their age` : '';
      print(`account ${check.accountId}: ${check.entries} entries${older}, last ${check.lastHash}\n`);
    }
    print(
      hasKey ? `${countOf(anchors)} checkpoints match.\n` : 'No sealing key: checkpoints were not checked.\n',
    );
    print(`OK, ${total} entries.\n`);
    if (hasKey) warnIfNotAnchored(total, countOf(anchors));
  });
}
