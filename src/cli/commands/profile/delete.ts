import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { removeHelpers } from '../../registry/auth-files.ts';
import { changeConfig, defaultProfileName, noSuchProfile } from '../../settings/config-file.ts';
import { findStore } from '../../stores/find-store.ts';

export const deleteProfile: Run = async ({ config: { path, content }, args, system, out }) => {
  const name = args.required('name');
  if (name === defaultProfileName)
    throw usageError(
      'The profile default cannot be deleted.',
      'To restore its defaults: alm reset --profile default',
    );
  if (!content.profiles.has(name)) throw noSuchProfile(content, name, path);
  await changeConfig(system, path, (config) => ({
    ...config,
    current: config.current === name ? defaultProfileName : config.current,
    profiles: new Map([...config.profiles].filter(([each]) => each !== name)),
    registries: new Map([...config.registries].filter(([, profile]) => profile !== name)),
  }));
  // The file first: it changes even when the store fails.
  const store = await findStore(system);
  await store?.delete(name);
  const hosts = [...content.registries].filter(([, owner]) => owner === name).map(([host]) => host);
  await removeHelpers(system, hosts);
  out.info(`Profile ${name} is deleted.`);
  if (content.current === name) out.more(`Switched to profile ${defaultProfileName}.`);
};
