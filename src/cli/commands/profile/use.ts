import type { Run } from '../../command.ts';
import { changeConfig, noSuchProfile } from '../../settings/config-file.ts';

export const selectProfile: Run = async ({ config: { path, content }, args, system, out }) => {
  const name = args.required('name');
  if (!content.profiles.has(name)) throw noSuchProfile(content, name, path);
  await changeConfig(system, path, (config) => ({ ...config, current: name }));
  out.info(`Switched to profile ${name}.`);
  if (system.env.ALM_PROFILE)
    out.warn(`ALM_PROFILE is set to "${system.env.ALM_PROFILE}" and takes precedence.`);
};
