import { spawn } from 'node:child_process';
import { childEnvironment } from '../stores/child-environment.ts';
import type { System } from '../system.ts';

type Program = readonly [name: string, ...args: string[]];

const openers: Partial<Record<NodeJS.Platform, Program>> = {
  darwin: ['open'],
  // `start` is a word of a shell, which would read the address as well; this is what it calls.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** `$BROWSER` may be a list with colons; `%s` in it stands for the address, which comes last otherwise. */
function openerFor({ env, platform }: Pick<System, 'env' | 'platform'>, url: string): Program {
  const wanted = platform === 'win32' ? env.BROWSER : env.BROWSER?.split(':')[0];
  const [name, ...args] = wanted?.split(/\s+/).filter((word) => word !== '') ?? [];
  if (name === undefined) return [...(openers[platform] ?? ['xdg-open']), url];
  const filled = args.map((word) => word.replaceAll('%s', url));
  return [name, ...filled, ...(args.some((word) => word.includes('%s')) ? [] : [url])];
}

/** Starts it and goes on; false when there is none to start. */
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
