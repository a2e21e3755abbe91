import { CliError } from '../cli-error.ts';
import type { BareContext } from '../command.ts';
import { isSuccess, readBody, send } from '../net/http.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Profile } from '../settings/settings.ts';
import { userAgent, version } from '../version.ts';

/** The version that a server reports; needs no login. */
async function serverVersion({ system }: BareContext, { api_url, timeout }: Profile): Promise<string> {
  const url = new URL(`${api_url.replace(/\/+$/, '')}/healthz`);
  const headers = { 'user-agent': userAgent };
  const response = await send(system, { method: 'GET', url, headers, timeoutSeconds: timeout });
  const text = await readBody(response, url);
  try {
    const found: unknown = (JSON.parse(text) as { version?: unknown }).version;
    if (isSuccess(response.status) && typeof found === 'string') return found;
  } catch {
    // Not JSON: another server.
  }
  throw new CliError('refused', `The response of ${url.href} is not from Almanac.`);
}

/** Prints the versions of alm and of the server, which is null where it cannot be reached. */
export async function printVersions(context: BareContext): Promise<void> {
  const { system, args, out } = context;
  const { settings } = await loadSettings(system, args);
  const server = await serverVersion(context, settings).catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    out.warn(error.message);
    return null;
  });
  await out.document(JSON.stringify({ client: version, server, url: settings.api_url }));
}
