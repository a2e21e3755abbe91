import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { isSameAddress } from '../../net/address.ts';
import type { Endpoints } from '../../settings/config-file.ts';
import { defaults, sources } from '../../settings/settings.ts';

export interface Where {
  addresses: Endpoints;
  /** Under which name they are remembered for the next time. */
  name: string | undefined;
}

/** What a sign-in begins with, before flags and environment: what the name stands for, or the profile's own. */
function beginning({ args, config, profile }: Context, name: string | undefined): Endpoints {
  const { profiles, endpoints } = config.content;
  if (name === undefined) return profiles.get(profile) ?? defaults;
  const remembered = endpoints.get(name);
  if (!remembered && name !== 'prod' && !args.has('url'))
    throw usageError(
      `No addresses are remembered for --endpoints ${name}.`,
      `alm login --endpoints ${name} --url <address> [--rurl <address>] [--surl <address>]`,
    );
  return remembered ?? defaults;
}

/**
 * Where to sign in. The addresses of registry and gateway belong to that of the service: when it changes, those that
 * are not said anew go back to the defaults.
 */
export function whereToSignIn(context: Context): Where {
  const { args, settings, system } = context;
  const name = args.has('endpoints') ? args.text('endpoints') : undefined;
  const begin = beginning(context, name);
  /** A name on the command line says more than the environment. */
  const isSaid = (setting: keyof Endpoints): boolean => {
    const source = sources.find((each) => each.setting === setting);
    if (!source) return false;
    return args.has(source.flag) || (name === undefined && Boolean(system.env[source.variable]));
  };
  const choose = (setting: keyof Endpoints, otherwise: Endpoints): string =>
    isSaid(setting) ? settings[setting] : otherwise[setting];
  const api_url = choose('api_url', begin);
  const rest = isSameAddress(api_url, begin.api_url) ? begin : defaults;
  const registry_url = choose('registry_url', rest);
  const gateway_url = choose('gateway_url', rest);
  return { addresses: { api_url, registry_url, gateway_url }, name };
}
