import type { Config } from '../basics/config.ts';
import { entryOf } from '../basics/entry-of.ts';
import { rotateKey } from './registry/rotate-key.ts';
import { sync } from './registry/sync.ts';
import { up } from './registry/up.ts';
import type { RegistryVerb } from './registry/verb.ts';
import { config as writeConfig } from './registry/write-config.ts';

/** By name; the help lists them in this order. */
const verbs: Readonly<Record<string, RegistryVerb>> = {
  up,
  config: writeConfig,
  'rotate-key': rotateKey,
  sync,
};

export const registryHelp = `Usage:
${Object.values(verbs)
  .map(({ help }) => help)
  .join('\n')}

The commands work while servers run. See docs/registry.md.`;

export async function runRegistry(config: Config, args: readonly string[]): Promise<void> {
  const [verb = '', ...own] = args;
  const run = entryOf(verbs, verb);
  if (!run)
    throw new Error(
      `Usage: almanac registry ${Object.keys(verbs).join(' | ')}. Run: almanac registry --help`,
    );
  await run.run(config, own);
}
