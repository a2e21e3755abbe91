import type { IncomingHttpHeaders } from 'node:http';
import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { readBody, send } from '../net/http.ts';

interface RegistryRequest {
  method: string;
  url: URL;
  headers?: Readonly<Record<string, string>>;
}

export interface RegistryResponse {
  status: number;
  /** `404 Not Found` */
  statusLine: string;
  headers: IncomingHttpHeaders;
  text: string;
}

export const isSuccessful = ({ status }: RegistryResponse): boolean => status >= 200 && status < 300;

/** Appends a path to an address that may have a path itself. */
export const below = (address: string, path: string): URL => new URL(address.replace(/\/+$/, '') + path);

/** Sends a request and reads the whole response, whatever its status. */
export async function exchange(
  { system, settings, trace }: Context,
  request: RegistryRequest,
): Promise<RegistryResponse> {
  const { method, url } = request;
  const sentHeaders = { 'user-agent': 'alm', ...request.headers };
  trace.request(method, url, sentHeaders);
  const received = await send(system, {
    method,
    url,
    headers: sentHeaders,
    timeoutSeconds: settings.timeout,
  });
  trace.response(received);
  const text = await readBody(received, url);
  trace.done();
  const { status, statusLine, headers } = received;
  return { status, statusLine, headers, text };
}

/** Replaces the hint about `--url` in connection errors: the registry has another flag. */
export async function exchangeWithRegistry(
  context: Context,
  request: RegistryRequest,
): Promise<RegistryResponse> {
  try {
    return await exchange(context, request);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const hints = error.hints.map((hint) =>
      hint.includes('--url')
        ? 'Check that the registry is running, or use another address: --rurl, ALM_REGISTRY_URL'
        : hint,
    );
    throw new CliError(error.exitReason, error.message, { lines: error.lines, hints, cause: error });
  }
}
