import { CliError } from '../cli-error.ts';
import type { Profile } from '../settings/settings.ts';

/** Resolves a path against the gateway address, or the service address when there is no gateway. */
export function gatewayAddress(
  { gateway_url: gateway, api_url: service }: Pick<Profile, 'api_url' | 'gateway_url'>,
  path: string,
): URL {
  // Any other text could change the host.
  if (!path.startsWith('/'))
    throw new CliError('refused', 'The response contains an invalid terminal address.');
  return new URL((gateway || service).replace(/\/+$/, '') + path);
}

/** The WebSocket form of the same address. */
export function socketAddress(settings: Pick<Profile, 'api_url' | 'gateway_url'>, path: string): URL {
  return new URL(gatewayAddress(settings, path).href.replace(/^http/, 'ws'));
}
