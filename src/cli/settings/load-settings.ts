import type { Args } from '../args/args.ts';
import type { Command } from '../command.ts';
import type { System } from '../system.ts';
import { type Config, configPath, noSuchProfile, orElse, readConfig } from './config-file.ts';
import { defaults, type Profile, resolveSettings } from './settings.ts';

export interface Loaded {
  config: { path: string; content: Config };
  /** The name of the profile in use. */
  profile: string;
  /** What the file says of it. */
  saved: Profile;
  /** As the file, the environment and the flags have it together. */
  settings: Profile;
}

/** What a command gets along without: those that mend the file must run when it is broken. */
type Tolerance = Pick<Command, 'anyProfile' | 'anyConfig'>;

const profileName = ({ env }: System, args: Args, config: Config): string =>
  args.text('profile') ?? (env.ALM_PROFILE || config.current);

export async function loadSettings(system: System, args: Args, tolerance: Tolerance = {}): Promise<Loaded> {
  const path = configPath(system.env, system.home);
  const content = await readConfig(path, tolerance.anyConfig);
  const profile = profileName(system, args, content);
  const saved = content.profiles.get(profile) ?? (tolerance.anyProfile ? defaults : undefined);
  if (!saved) throw noSuchProfile(content, profile, path);
  const resolve = (): Profile => resolveSettings(saved, system.env, args);
  const settings = tolerance.anyConfig ? orElse(resolve, saved) : resolve();
  return { config: { path, content }, profile, saved, settings };
}
