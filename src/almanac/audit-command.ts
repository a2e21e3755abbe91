import type { Config } from '../basics/config.ts';
import { checkChains } from '../operations/audit/audit-chain.ts';
import { withDatabase } from './backup-commands.ts';

/** Checks the chain of every account; throws at the first entry that does not match. */
export async function audit(config: Config, [verb]: readonly string[]): Promise<void> {
  if (verb !== 'verify') throw new Error('Usage: almanac audit verify');
  await withDatabase(config, async ({ query }) => {
    let total = 0;
    for await (const check of checkChains(query)) {
      if (!check.isIntact)
        throw new Error(
          `Entry ${check.number} of account ${check.accountId} ${check.problem}. Compare the log with an export or a backup from before.`,
        );
      total += check.entries;
      process.stdout.write(`account ${check.accountId}: ${check.entries} entries, last ${check.lastHash}\n`);
    }
    process.stdout.write(`OK, ${total} entries.\n`);
  });
}
