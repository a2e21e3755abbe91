import type { createTerminal } from '../../../contract/v3/ssh.ts';
import { CliError, usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import type { Reply } from '../../net/api.ts';
import { openBrowser } from '../../terminal/browser.ts';
import { codeOfSignal } from '../../terminal/ending-signals.ts';
import { gatewayAddress, socketAddress } from '../../terminal/gateway-address.ts';
import { LocalTerminal, type Size } from '../../terminal/local-terminal.ts';
import type { SessionEnd } from '../../terminal/session.ts';

type Ticket = Reply<{ url: string; page: string }>;

/** Requests a terminal ticket; works for stacks of both API versions. */
function requestTicket({ api, args }: Context, size: Size | null): Promise<Ticket> {
  const [ip, flag, user] = [args.text('ip'), args.text('flag'), args.text('user')];
  const body = { ...(ip ? { ip } : {}), ...(flag ? { flag } : {}), ...(user ? { user } : {}), ...size };
  const params = { stack_id: args.required('id') };
  return api.call<typeof createTerminal>('POST', '/v3/alm/stack/{stack_id}/terminal', { params, body });
}

async function openPage({ out, settings, system }: Context, page: string): Promise<void> {
  const { href } = gatewayAddress(settings, page);
  out.info(`terminal: ${href}`);
  if (!(await openBrowser(system, href)))
    out.warn('Could not start a browser. Open the address yourself within one minute.');
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function codeOfEnd(end: SessionEnd, { out }: Context, host: string): number {
  switch (end.kind) {
    case 'exit':
      return end.code;
    case 'signal':
      return codeOfSignal(end.signal);
    case 'disconnected':
      out.info(`Disconnected from ${host}.`);
      return exitCodeOf('interrupted');
    case 'lost':
      throw new CliError('noAnswer', `Connection to ${host} lost; the terminal session has ended.`);
    case 'refused':
      throw new CliError('refused', sentence(end.reason));
    default:
      return end satisfies never;
  }
}

async function runTerminal(context: Context): Promise<number> {
  const { system, settings, trace } = context;
  const terminal = new LocalTerminal(system);
  const { size } = terminal;
  const { body } = await requestTicket(context, size);
  const url = socketAddress(settings, body.url);
  const { openSocket } = await import('../../terminal/open-socket.ts');
  const { runSession } = await import('../../terminal/session.ts');
  trace.request('GET', url, {});
  const socket = await openSocket(system, url, settings.timeout);
  const end = await runSession({ socket, terminal, clock: system.clock, size });
  return codeOfEnd(end, context, url.host);
}

/** Opens the terminal; prints its ticket for programs, or opens its page in a browser. */
export const openTerminal: Run = async (context) => {
  const { args, out, system } = context;
  const printsTicket = out.format !== 'table';
  if (!printsTicket && !args.is('browser')) {
    if (system.stdin.isTTY) return runTerminal(context);
    throw usageError(
      'Standard input is not a terminal.',
      `To run a script: alm stack exec --target '${args.required('id')}' --script <file>`,
      'To open it in a browser: --browser',
    );
  }
  const { text, body } = await requestTicket(context, null);
  if (printsTicket) await out.document(text);
  if (args.is('browser')) await openPage(context, body.page);
};
