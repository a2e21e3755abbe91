import type { Run } from '../../command.ts';
import { defaultProfileName, noSuchProfile, repairConfig } from '../../settings/config-file.ts';
import { defaults } from '../../settings/settings.ts';
import { findStore } from '../../stores/find-store.ts';

export const reset: Run = async ({ config: { path, content }, profile, system, out }) => {
  const isThere = content.profiles.has(profile);
  // The file itself may name one that is not there: that is mended too.
  if (!isThere && profile !== content.current) throw noSuchProfile(content, profile, path);
  await repairConfig(system, path, (config) => ({
    ...config,
    current: config.profiles.has(config.current) ? config.current : defaultProfileName,
    profiles: isThere ? new Map([...config.profiles, [profile, defaults]]) : config.profiles,
  }));
  if (isThere) out.info(`Profile ${profile} is back to the defaults.`);
  else out.info(`There is no profile ${profile}: ${defaultProfileName} is used from now on.`);
  // The file first: it is reset even where the store refuses.
  const store = await findStore(system);
  await store?.delete(profile);
  out.more(`Nothing of its sign-in is kept in ${store ? `${path} and in ${store.name}` : path}.`);
};
