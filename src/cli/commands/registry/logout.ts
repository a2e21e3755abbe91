import type { Context, Run } from '../../command.ts';
import { hostsWithHelper, removeHelpers } from '../../registry/auth-files.ts';
import { hostOf } from '../../registry/host.ts';
import { changeConfig } from '../../settings/config-file.ts';
import { isRegistryGiven } from './open-registry.ts';

/** The registry that is given, else all of this profile and of none, which `docker logout` leaves: works without the service. */
function hostsToForget(context: Context): string[] {
  const { settings, config, profile, system } = context;
  if (isRegistryGiven(context)) return [hostOf(settings.registry_url)];
  const { registries } = config.content;
  const own = [...registries].filter(([, owner]) => owner === profile).map(([host]) => host);
  return [...new Set([...own, ...hostsWithHelper(system).filter((host) => !registries.has(host))])];
}

/** Undoes `registry login`. The login of alm itself stays. */
export const logoutOfRegistry: Run = async (context) => {
  const { out, system, config } = context;
  const hosts = hostsToForget(context);
  const changed = await removeHelpers(system, hosts);
  const isKnown = hosts.some((host) => config.content.registries.has(host));
  if (isKnown)
    await changeConfig(system, config.path, (content) => ({
      ...content,
      registries: new Map([...content.registries].filter(([each]) => !hosts.includes(each))),
    }));
  if (!isKnown && changed.length === 0)
    return out.info('Container tools do not use the login of alm. Nothing was changed.');
  out.info(`Container tools no longer use the login of alm for ${hosts.join(', ')}.`);
  if (changed.length > 0) out.more(`Changed: ${changed.join(', ')}`);
};
