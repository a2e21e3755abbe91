import type { Completion, Flag } from '../args/flag.ts';
import { configPath, readConfig } from '../settings/config-file.ts';
import type { System } from '../system.ts';
import type { Candidates } from './candidate.ts';
import { credentialIds, stackIds } from './from-service.ts';
import { addresses, clientIds, instanceIds, layers, roleIds, userNames, versionIds } from './names.ts';
import type { Typed } from './typed.ts';
import { versionInUse } from './version-in-use.ts';

const profileNames = async (system: System): Promise<Candidates> => {
  const { profiles } = await readConfig(configPath(system.env, system.home));
  return [...profiles].map(([word, { api_url: about }]) => ({ word, about }));
};

const kinds: Readonly<
  Record<Completion, (system: System, typed: Typed, flag: Flag) => Candidates | Promise<Candidates>>
> = {
  file: () => 'files',
  stack: async (system, typed) => stackIds(system, typed, await versionInUse(system, typed)),
  credential: credentialIds,
  profile: profileNames,
  version: versionIds,
  user: userNames,
  role: roleIds,
  client: clientIds,
  instance: instanceIds,
  address: addresses,
  layer: layers,
};

const plain = (words: readonly string[]): Candidates => words.map((word) => ({ word, about: '' }));

/** What the value of a flag may be, as far as anybody knows. */
export async function valuesFor(flag: Flag, system: System, typed: Typed): Promise<Candidates> {
  if (flag.kind === 'switch') return plain(['true', 'false']);
  if (flag.kind === 'number') return [];
  if (flag.name === 'fmt' && typed.command) return plain(typed.command.formats);
  if (flag.choices) return plain(flag.choices);
  return flag.complete ? kinds[flag.complete](system, typed, flag) : [];
}
