import { parseArgs } from 'node:util';
import type { Config } from '../../basics/config.ts';
import { activateKey, forgetOldKeys, prepareNextKey } from '../../operations/registry/keys/signing-keys.ts';
import type { Service } from '../../operations/service.ts';
import { type RegistryVerb, withService } from './verb.ts';

const flag = { type: 'boolean' } as const;
const options = { activate: flag, 'forget-old': flag } as const;

const nextSteps = `  1. Write the configuration and the bundle of every registry again: almanac registry config
  2. Restart the registries, one after the other: they read the bundle when they start.
  3. Run: almanac registry rotate-key --activate
`;

const print = (text: string): void => void process.stdout.write(text);

async function prepare(service: Service): Promise<void> {
  const isNew = await prepareNextKey(service);
  const what = isNew ? 'A new key is prepared, but not used yet.' : 'A new key was prepared already.';
  print(`${what} Tokens are valid all the time. Next:\n${nextSteps}`);
}

async function activate(service: Service): Promise<void> {
  await activateKey(service);
  print(`The new key signs all tokens from now on. Tokens of the old key are valid until they expire.
When that time has passed (ALM_REGISTRY_TOKEN_SECONDS), run: almanac registry rotate-key --forget-old
`);
}

async function forget(service: Service): Promise<void> {
  const { length } = await forgetOldKeys(service);
  if (length === 0) return print('There is no old key.\n');
  print(`${length === 1 ? 'The old key is' : `${length} old keys are`} deleted. Next:
  1. Write the bundle of every registry again: almanac registry config
  2. Restart the registries. Until then they accept tokens of the old key.
`);
}

async function rotate(config: Config, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.activate && values['forget-old'])
    throw new Error('Use --activate first, and --forget-old after the registries were restarted.');
  const step = values.activate ? activate : values['forget-old'] ? forget : prepare;
  await withService(config, step);
}

export const rotateKey: RegistryVerb = {
  help: `  almanac registry rotate-key   prepare a new key for the tokens of the registry, and say what to do next
  almanac registry rotate-key --activate
                                sign with the new key, after all registries have its certificate
  almanac registry rotate-key --forget-old
                                delete the keys that were used before`,
  run: rotate,
};
