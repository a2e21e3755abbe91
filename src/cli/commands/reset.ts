import type { Run } from '../command.ts';
import { changeConfig, defaultProfileName } from '../config-file.ts';
import { defaults } from '../settings.ts';
import { findStore } from '../stores/find-store.ts';

/** A file that cannot be understood is no reason to stop: to mend it is what this is for. */
const anything = true;

export const reset: Run = async ({ config: { path }, profile, system, out }) => {
  changeConfig(
    path,
    ({ current, profiles, endpoints }) => {
      const isThere = profiles.has(profile);
      return {
        current: profiles.has(current) ? current : defaultProfileName,
        profiles: isThere ? new Map([...profiles, [profile, defaults]]) : profiles,
        endpoints,
      };
    },
    anything,
  );
  out.info(`Profile ${profile} is back to the defaults.`);
  // The file first: it is reset even where the store refuses.
  const store = await findStore(system);
  await store?.delete(profile);
  out.more(`Nothing of its sign-in is kept in ${store ? `${path} and in ${store.name}` : path}.`);
};
