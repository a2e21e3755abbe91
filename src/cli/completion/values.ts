import type { Completion, Flag } from '../args/flag.ts';
import { configPath, readConfig } from '../settings/config-file.ts';
import type { System } from '../system.ts';
import type { Candidates } from './candidate.ts';
import { dataChoices, dataIds, keptDataIds, restoreValues } from './data-values.ts';
import type { PartialLine } from './partial-line.ts';
import {
  addresses,
  clientIds,
  credentialIds,
  instanceIds,
  layers,
  roleIds,
  secretNames,
  stackIds,
  userNames,
  versionIds,
} from './service-values.ts';

const profileNames = async (system: System): Promise<Candidates> => {
  const { profiles } = await readConfig(configPath(system.env, system.home));
  return [...profiles].map(([word, { api_url: about }]) => ({ word, about }));
};

const sources: Readonly<
  Record<Completion, (system: System, line: PartialLine, flag: Flag) => Candidates | Promise<Candidates>>
> = {
  file: () => 'files',
  stack: stackIds,
  credential: credentialIds,
  profile: profileNames,
  version: versionIds,
  user: userNames,
  role: roleIds,
  client: clientIds,
  instance: instanceIds,
  address: addresses,
  layer: layers,
  data: dataIds,
  'kept-data': keptDataIds,
  'data-choice': dataChoices,
  restore: restoreValues,
  secret: secretNames,
};

const withoutAbout = (words: readonly string[]): Candidates => words.map((word) => ({ word, about: '' }));

/** Suggested values of a flag. */
export async function valuesFor(flag: Flag, system: System, line: PartialLine): Promise<Candidates> {
  if (flag.kind === 'switch') return withoutAbout(['true', 'false']);
  if (flag.kind === 'number') return [];
  if (flag.name === 'fmt' && line.command) return withoutAbout(line.command.formats);
  if (flag.choices) return withoutAbout(flag.choices);
  return flag.complete ? sources[flag.complete](system, line, flag) : [];
}
