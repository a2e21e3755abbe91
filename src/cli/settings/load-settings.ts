import type { Args } from '../args/args.ts';
import type { Command } from '../command.ts';
import type { System } from '../system.ts';
import { type Config, configPath, noSuchProfile, readConfig, withFallback } from './config-file.ts';
import { defaults, type Profile, resolveSettings } from './settings.ts';

export interface LoadedSettings {
  config: { path: string; content: Config };
  /** Name of the profile in use. */
  profile: string;
  /** The profile as the file has it. */
  saved: Profile;
  /** The profile, overridden by the environment, overridden by the flags. */
  settings: Profile;
}

/** Tolerated defects: commands that repair the file must run when it is broken. */
type Tolerance = Pick<Command, 'anyProfile' | 'anyConfig'>;

const profileName = ({ env }: System, args: Args, config: Config): string =>
  args.text('profile') ?? (env.ALM_PROFILE || config.current);

export async function loadSettings(
  system: System,
  args: Args,
  tolerance: Tolerance = {},
): Promise<LoadedSettings> {
  const path = configPath(system.env, system.home);
  const content = await readConfig(path, tolerance.anyConfig);
  const profile = profileName(system, args, content);
  const saved = content.profiles.get(profile) ?? (tolerance.anyProfile ? defaults : undefined);
  if (!saved) throw noSuchProfile(content, profile, path);
  const resolve = (): Profile => resolveSettings(saved, system.env, args);
  const settings = tolerance.anyConfig ? withFallback(resolve, saved) : resolve();
  return { config: { path, content }, profile, saved, settings };
}
