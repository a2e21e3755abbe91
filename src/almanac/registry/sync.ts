import { parseArgs } from 'node:util';
import type { Config } from '../../basics/config.ts';
import { syncRegistry } from '../../operations/registry/images/sync.ts';
import { type RegistryVerb, withService } from './verb.ts';

async function syncIndex(config: Config, args: readonly string[]): Promise<void> {
  parseArgs({ args: [...args], options: {} });
  await withService(config, async (service) => {
    const { count, failures } = await syncRegistry(
      service,
      (repository) => void process.stdout.write(`${repository}\n`),
    );
    process.stdout.write(
      `${count} ${count === 1 ? 'repository' : 'repositories'} compared with the registry.\n`,
    );
    for (const failure of failures) process.stderr.write(`Not read: ${failure}\n`);
    if (failures.length > 0) process.exitCode = 1;
  });
}

export const sync: RegistryVerb = {
  help: `  almanac registry sync         read all repositories of the registry into the list of images: after the first start
                                with an existing registry, or after notifications were lost`,
  run: syncIndex,
};
