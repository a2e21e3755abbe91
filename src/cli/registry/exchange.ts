import type { IncomingHttpHeaders } from 'node:http';
import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { readBody, send } from '../net/http.ts';

export interface Answer {
  status: number;
  /** `404 Not Found` */
  statusLine: string;
  headers: IncomingHttpHeaders;
  text: string;
}

export const isGood = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** A path below an address that may have one of its own. */
export const below = (address: string, path: string): URL => new URL(address.replace(/\/+$/, '') + path);

/** One request and the whole of its answer, whatever that is. */
export async function exchange(
  { system, settings, trace }: Context,
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const all = { 'user-agent': 'alm', ...headers };
  trace.request(method, url, all);
  const sent = { method, url, headers: all, timeoutSeconds: settings.timeout };
  const received = await send(system, sent);
  trace.response(received);
  const text = await readBody(received, url);
  trace.done();
  const { status, statusLine, headers: answered } = received;
  return { status, statusLine, headers: answered, text };
}

/** The words about an address that does not answer name the flag of the service: here it is another. */
export async function exchangeWithRegistry(...asked: Parameters<typeof exchange>): Promise<Answer> {
  try {
    return await exchange(...asked);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const hints = error.hints.map((hint) =>
      hint.includes('--url') ? 'Is the registry running? Another address: --rurl, ALM_REGISTRY_URL' : hint,
    );
    throw new CliError(error.exitReason, error.message, { lines: error.lines, hints, cause: error });
  }
}
