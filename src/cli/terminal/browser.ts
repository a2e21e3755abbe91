import { spawn } from 'node:child_process';
import { childEnvironment } from '../stores/child-environment.ts';
import type { System } from '../system.ts';

type Program = readonly [name: string, ...args: string[]];

const openers: Partial<Record<NodeJS.Platform, Program>> = {
  darwin: ['open'],
  // `start` is a shell builtin, and the shell would interpret the address; this is the program it calls.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** `$BROWSER` may be a colon-separated list; `%s` is replaced by the address, which is otherwise the last argument. */
function openerFor({ env, platform }: Pick<System, 'env' | 'platform'>, url: string): Program {
  const configured = platform === 'win32' ? env.BROWSER : env.BROWSER?.split(':')[0];
  const [name, ...args] = configured?.split(/\s+/).filter((word) => word !== '') ?? [];
  if (name === undefined) return [...(openers[platform] ?? ['xdg-open']), url];
  const filled = args.map((word) => word.replaceAll('%s', url));
  return [name, ...filled, ...(args.some((word) => word.includes('%s')) ? [] : [url])];
}

/** Starts the browser without waiting for it; false when none can be started. */
export function openBrowser(system: Pick<System, 'env' | 'platform'>, url: string): Promise<boolean> {
  const [name, ...args] = openerFor(system, url);
  const browser = spawn(name, args, { env: childEnvironment(system.env), detached: true, stdio: 'ignore' });
  return new Promise((resolve) => {
    browser.once('error', () => resolve(false));
    browser.once('spawn', () => {
      browser.unref();
      resolve(true);
    });
  });
}
