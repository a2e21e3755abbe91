import type { Config } from '../basics/config.ts';
import type { Log } from '../basics/log.ts';

const isLoopback = (host: string): boolean => /^(localhost|::1|127\.\d+\.\d+\.\d+)$/.test(host);

/** Passwords and tokens can be read on the way. */
export function warnAboutHttp({ host, baseUrl, trustedProxies }: Config, log: Log): void {
  if (isLoopback(host) || baseUrl.startsWith('https:') || trustedProxies.length > 0) return;
  log.warn(
    { host, base_url: baseUrl },
    'serving http without encryption to other machines: put a TLS proxy in front, set ALM_BASE_URL to its https URL and ALM_TRUST_PROXY to its address',
  );
}
