import { createServer } from 'node:net';
import { parseArgs } from 'node:util';

const text = { type: 'string' } as const;
const options = { listen: text, url: text, image: text } as const;

/** What the options of `almanac registry up` say. */
export interface UpPlan {
  host: string;
  port: number;
  /** As container tools and engines reach it. */
  url: string;
  /** Run this image, also if a program is installed. */
  image: string | null;
}

const anyPort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** All addresses of the machine are recorded as the loopback address. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const join = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const originOf = (host: string, port: number): string => `http://${join(everywhere[host] ?? host, port)}`;

function checkUrl(url: string): string {
  if (URL.canParse(url) && /^https?:\/\//.test(url) && `${new URL(url).origin}/` === new URL(url).href)
    return new URL(url).origin;
  throw new Error(`--url must be http:// or https:// with a host and no path, not "${url}".`);
}

/** Port 0 means any free port. */
export async function readUpPlan(args: readonly string[]): Promise<UpPlan> {
  const { values } = parseArgs({ args: [...args], options });
  const { listen = '127.0.0.1:5000', url, image = null } = values;
  const [, host = '', digits = ''] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(listen) ?? [];
  if (host === '' || Number(digits) > 65_535)
    throw new Error(`--listen must be an address and a port, such as 127.0.0.1:5000, not "${listen}".`);
  const port = Number(digits) || (await anyPort(host));
  return { host, port, url: url === undefined ? originOf(host, port) : checkUrl(url), image };
}

/** Where this machine reaches it. */
export const localUrl = ({ host, port }: UpPlan): string => originOf(host, port);

export const listenAddress = ({ host, port }: UpPlan): string => join(host, port);
