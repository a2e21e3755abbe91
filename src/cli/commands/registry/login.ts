import type { Context, Run } from '../../command.ts';
import { isPlaintext } from '../../net/address.ts';
import { addHelper, authFilesOf } from '../../registry/auth-files.ts';
import { requestCredentials } from '../../registry/helper-credentials.ts';
import { hostOf } from '../../registry/host.ts';
import { installLauncher } from '../../registry/launcher.ts';
import { changeConfig } from '../../settings/config-file.ts';
import { isOtherRegistry, openService } from './open-registry.ts';

const rememberProfile = ({ system, config, profile }: Context, host: string): Promise<void> =>
  changeConfig(system, config.path, (content) => ({
    ...content,
    registries: new Map([...content.registries, [host, profile]]),
  }));

async function nameHelper({ system, out }: Context, host: string): Promise<string[]> {
  const files = authFilesOf(system);
  for (const path of files) {
    const { hadPassword } = await addHelper(system, path, host);
    if (hadPassword) out.info(`Removed the credentials of ${host} from ${path}, where they were readable.`);
  }
  return files;
}

/** Lets docker, podman and skopeo use the login of alm. Checks first that the service gives them tokens. */
export const loginToRegistry: Run = async (given) => {
  const opened = await openService(given);
  const { context, server, isOwn } = opened;
  const { out, system, args, settings } = context;
  // Container tools send the token to the token service that the registry names.
  if (server?.url && !isOwn) throw isOtherRegistry(opened);
  await requestCredentials(context);
  const host = hostOf(settings.registry_url);
  const { path, isOnPath } = installLauncher(system, args.text('dir'));
  await rememberProfile(context, host);
  const files = await nameHelper(context, host);
  const namespace = server?.user?.namespace ?? '<namespace>';
  out.info(`Container tools sign in to ${host} with the login of alm.`);
  out.more(`Helper: ${path}; named in ${files.join(', ')}`);
  out.more(`Push an image: docker push ${host}/${namespace}/<name>`);
  if (!isOnPath)
    out.warn(
      `The directory of ${path} is not in your PATH. Add it, or container tools do not find the helper.`,
    );
  if (isPlaintext(settings.registry_url))
    out.warn(
      `${settings.registry_url} is not encrypted; container tools accept it only if they are configured to.`,
    );
};
