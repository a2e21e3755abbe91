import { BlockList, isIP } from 'node:net';
import { wrongUsage } from '../cli-error.ts';
import type { Environment } from '../system.ts';

/** A proxy, and the variable that names it. */
export interface Proxy {
  url: URL;
  variable: string;
}

/** As sockets want it: without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

const defaultPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
};
export const portOf = ({ port, protocol }: URL): string => port || (defaultPorts[protocol] ?? '');

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

/** `example.org` stands for the names below it too, with or without `.` or `*.` before it; a port may follow. */
function isMeantBy(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const host = hostOf(url);
  if (isInBlock(host, entry)) return true;
  const [, name = entry, port = ''] =
    isIP(entry) === 6 ? [] : (/^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(entry) ?? []);
  if (port !== '' && port !== portOf(url)) return false;
  const bare = name.replace(/^\*?\./, '');
  return bare !== '' && (host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`)));
}

const valueOf = (env: Environment, name: string): [variable: string, value: string] | undefined => {
  for (const variable of [name, name.toUpperCase()]) {
    const value = env[variable]?.trim();
    if (value) return [variable, value];
  }
  return undefined;
};

function readProxy(variable: string, value: string): Proxy {
  const written = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(written) ? new URL(written) : null;
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return { url, variable };
  // It may have a password in it, so it is not shown.
  throw wrongUsage(
    `${variable} names no proxy that alm can use.`,
    'It must be an address such as http://proxy.example.com:3128',
    `Go without it: ${variable}= alm …`,
  );
}

/** The proxy that the environment names for an address, as other programs read it. What is on this machine needs none. */
export function proxyFor(env: Environment, url: URL): Proxy | null {
  const kind = /^(?:https|wss):$/.test(url.protocol) ? 'https_proxy' : 'http_proxy';
  const found = valueOf(env, kind) ?? valueOf(env, 'all_proxy');
  if (!found || isLoopback(hostOf(url))) return null;
  const exceptions = (valueOf(env, 'no_proxy')?.[1] ?? '').toLowerCase().split(/[\s,]+/);
  if (exceptions.some((entry) => entry !== '' && isMeantBy(entry, url))) return null;
  return readProxy(...found);
}
