import type { Run } from '../../command.ts';
import { openBrowser } from '../../terminal/browser.ts';

/** Prints the address of the page in the console, and opens it on a terminal where there is a browser. */
export const openConsole: Run = async ({ args, out, settings, system }) => {
  const stackId = args.text('id');
  const page = stackId === undefined ? '' : `stack/${encodeURIComponent(stackId)}`;
  const url = `${settings.api_url.replace(/\/+$/, '')}/console/${page}`;
  out.data(`${url}\n`);
  if (system.stdoutIsTty && !args.has('out') && !(await openBrowser(system, url)))
    out.info('No browser could be started: open the address yourself.');
};
