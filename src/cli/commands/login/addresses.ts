import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { isSameAddress } from '../../net/address.ts';
import type { Endpoints } from '../../settings/config-file.ts';
import { defaults, sources } from '../../settings/settings.ts';

export interface LoginAddresses {
  addresses: Endpoints;
  /** The name they are saved under for the next login. */
  name: string | undefined;
}

/** Addresses before flags and environment apply: those saved under the name, or those of the profile. */
function savedAddresses({ args, config, profile }: Context, name: string | undefined): Endpoints {
  const { profiles, endpoints } = config.content;
  if (name === undefined) return profiles.get(profile) ?? defaults;
  const saved = endpoints.get(name);
  if (!saved && name !== 'prod' && !args.has('url'))
    throw usageError(
      `No addresses are saved for --endpoints ${name}.`,
      `alm login --endpoints ${name} --url <address> [--rurl <address>] [--surl <address>]`,
    );
  return saved ?? defaults;
}

/**
 * The addresses to sign in at. Registry and gateway belong to the service: when the service address changes, those that are
 * not given explicitly return to the defaults.
 */
export function loginAddresses(context: Context): LoginAddresses {
  const { args, settings, system } = context;
  const name = args.has('endpoints') ? args.text('endpoints') : undefined;
  const saved = savedAddresses(context, name);
  /** `--endpoints` takes precedence over the environment. */
  const isExplicit = (setting: keyof Endpoints): boolean => {
    const source = sources.find((each) => each.setting === setting);
    if (!source) return false;
    return args.has(source.flag) || (name === undefined && Boolean(system.env[source.variable]));
  };
  const choose = (setting: keyof Endpoints, fallback: Endpoints): string =>
    isExplicit(setting) ? settings[setting] : fallback[setting];
  const api_url = choose('api_url', saved);
  const fallback = isSameAddress(api_url, saved.api_url) ? saved : defaults;
  const registry_url = choose('registry_url', fallback);
  const gateway_url = choose('gateway_url', fallback);
  return { addresses: { api_url, registry_url, gateway_url }, name };
}
