import { CliError } from '../cli-error.ts';
import type { Profile } from '../settings/settings.ts';

/** A path of the service as an address of the gateway, or of the service where there is no other. */
export function gatewayAddress(
  { gateway_url: gateway, api_url: service }: Pick<Profile, 'api_url' | 'gateway_url'>,
  path: string,
): URL {
  // Anything else could lead to another host.
  if (!path.startsWith('/'))
    throw new CliError('refused', 'The service answered with an address that is none.');
  return new URL((gateway || service).replace(/\/+$/, '') + path);
}

/** The same for a WebSocket. */
export function socketAddress(settings: Pick<Profile, 'api_url' | 'gateway_url'>, path: string): URL {
  return new URL(gatewayAddress(settings, path).href.replace(/^http/, 'ws'));
}
