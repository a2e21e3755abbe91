import { BlockList, isIP } from 'node:net';
import { usageError } from '../cli-error.ts';
import type { Environment } from '../system.ts';

// Written by hand, because `proxy-from-env` differs in all of this: its NO_PROXY has no subdomains of a plain name, no
// address blocks and no `*` in a list; it uses ws_proxy for `ws:`, and a proxy for loopback addresses; it takes the scheme
// of the target for a proxy without one; and it does not say which variable it used, which our errors name.

/** A proxy, and the variable that names it. */
export interface Proxy {
  url: URL;
  variable: string;
}

/** Host name as sockets expect it: without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

const defaultPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
};
const portOf = ({ port, protocol }: URL): string => port || (defaultPorts[protocol] ?? '');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d+){3}$/.test(host);

const familyOf = (host: string): 'ipv4' | 'ipv6' => (isIP(host) === 6 ? 'ipv6' : 'ipv4');

function isInBlock(host: string, block: string): boolean {
  const [, address = '', bits = ''] = /^(.+)\/(\d+)$/.exec(block) ?? [];
  if (isIP(host) === 0 || isIP(address) === 0 || Number(bits) > (isIP(address) === 6 ? 128 : 32))
    return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), familyOf(address));
  return list.check(host, familyOf(host));
}

/** Matches an entry of NO_PROXY. `example.org` includes its subdomains, with or without `.` or `*.`; a port may follow. */
function matchesEntry(url: URL, entry: string): boolean {
  if (entry === '*') return true;
  const host = hostOf(url);
  if (isInBlock(host, entry)) return true;
  const [, name = entry, port = ''] =
    isIP(entry) === 6 ? [] : (/^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(entry) ?? []);
  if (port !== '' && port !== portOf(url)) return false;
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
}

const readVariable = (env: Environment, name: string): [variable: string, value: string] | undefined => {
  for (const variable of [name, name.toUpperCase()]) {
    const value = env[variable]?.trim();
    if (value) return [variable, value];
  }
  return undefined;
};

function parseProxy(variable: string, value: string): Proxy {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return { url, variable };
  // The value may contain a password, so it is not shown.
  throw usageError(
    `Unsupported proxy in ${variable}.`,
    'It must be a URL such as http://proxy.example.com:3128',
    `To run without it: ${variable}= alm …`,
  );
}

/** The proxy the environment names for a URL, if any. Loopback addresses never use one. */
export function proxyFor(env: Environment, url: URL): Proxy | null {
  const name = /^(?:https|wss):$/.test(url.protocol) ? 'https_proxy' : 'http_proxy';
  const found = readVariable(env, name) ?? readVariable(env, 'all_proxy');
  if (!found || isLoopback(hostOf(url))) return null;
  const exceptions = (readVariable(env, 'no_proxy')?.[1] ?? '').toLowerCase().split(/[\s,]+/);
  if (exceptions.some((entry) => entry !== '' && matchesEntry(url, entry))) return null;
  return parseProxy(...found);
}
