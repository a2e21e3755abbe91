import type { Run } from '../command.ts';
import { defaultProfileName, noSuchProfile, repairConfig } from '../settings/config-file.ts';
import { defaults } from '../settings/settings.ts';
import { findStore } from '../stores/find-store.ts';

export const reset: Run = async ({ config: { path, content }, profile, system, out }) => {
  const exists = content.profiles.has(profile);
  // The current profile of the file may be missing from it: reset repairs that too.
  if (!exists && profile !== content.current) throw noSuchProfile(content, profile, path);
  await repairConfig(system, path, (config) => ({
    ...config,
    current: config.profiles.has(config.current) ? config.current : defaultProfileName,
    profiles: exists ? new Map([...config.profiles, [profile, defaults]]) : config.profiles,
  }));
  if (exists) out.info(`Profile ${profile} is reset to the defaults.`);
  else out.info(`Profile ${profile} does not exist; switched to profile ${defaultProfileName}.`);
  // The file first: it is reset even when the store fails.
  const store = await findStore(system);
  await store?.delete(profile);
  out.more(`Saved credentials were removed from ${store ? `${path} and from ${store.name}` : path}.`);
};
