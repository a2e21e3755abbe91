import { type Config, configPath, readConfig } from './config-file.ts';
import type { Given } from './given.ts';
import { type Profile, resolveSettings } from './settings.ts';
import type { System } from './system.ts';
import { Trouble } from './trouble.ts';

interface Loaded {
  config: { path: string; content: Config };
  /** The name of the profile in use. */
  profile: string;
  /** What the file says of it. */
  saved: Profile;
  /** As the file, the environment and the flags have it together. */
  settings: Profile;
}

function profileOf(config: Config, { env }: System, given: Given, path: string): [string, Profile] {
  const name = given.text('profile') ?? (env.ALM_PROFILE || config.current);
  const profile = config.profiles.get(name);
  if (profile) return [name, profile];
  throw new Trouble('usage', `There is no profile "${name}" in ${path}.`, {
    hints: [
      `There are: ${[...config.profiles.keys()].join(', ')}`,
      `Make it: alm login --profile ${name} --url <address>`,
    ],
  });
}

export function loadSettings(system: System, given: Given): Loaded {
  const path = configPath(system.env, system.home);
  const content = readConfig(path);
  const [profile, saved] = profileOf(content, system, given, path);
  return {
    config: { path, content },
    profile,
    saved,
    settings: resolveSettings(saved, system.env, given),
  };
}
