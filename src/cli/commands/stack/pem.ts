import type { createKeyLink as createV2KeyLink } from '../../../contract/v2/keys.ts';
import type { createKeyLink } from '../../../contract/v3/keys.ts';
import { CliError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { ApiError } from '../../net/api-error.ts';
import { isSuccess, readBody, send } from '../../net/http.ts';

const linkPath = '/v3/alm/pem/';
/** Timeout of a link to an address that may not be reachable from here. */
const foreignSeconds = 10;

async function requestLink({ api, args, version }: Context): Promise<URL> {
  const flag = args.text('flag');
  const query = { stack_id: args.required('id'), ...(flag ? { flag } : {}) };
  const { body } = await (version === 'v2'
    ? api.call<typeof createV2KeyLink>('GET', '/v2/alm/pem', { query })
    : api.call<typeof createKeyLink>('GET', '/v3/alm/pem', { query }));
  const link = URL.canParse(body.data) ? new URL(body.data) : null;
  if (link && /^https?:$/.test(link.protocol)) return link;
  throw new CliError('refused', 'The response does not contain a link to the key.');
}

/** The link gives access to the key: it is never shown, and no token is sent with it. */
async function download({ system, trace }: Context, link: URL, timeoutSeconds: number): Promise<string> {
  const headers = { 'user-agent': 'alm' };
  trace.request('GET', new URL(`${link.origin}${linkPath}link`), headers);
  const received = await send(system, { method: 'GET', url: link, headers, timeoutSeconds });
  trace.response(received);
  const text = await readBody(received, link);
  trace.done();
  const { status, statusLine } = received;
  if (!isSuccess(status)) throw new ApiError({ status, statusLine, text });
  if (/^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return text;
  throw new CliError('refused', `${link.origin} did not return a private key.`, {
    hints: ['Check that ALM_BASE_URL on the server is the address that clients use.'],
  });
}

/** The link at the configured service address; null when it is the same. */
function atServiceAddress({ settings }: Context, link: URL): URL | null {
  const start = link.pathname.lastIndexOf(linkPath);
  if (start === -1) return null;
  const local = new URL(settings.api_url.replace(/\/+$/, '') + link.pathname.slice(start));
  return local.href === link.href ? null : local;
}

/** Falls back to the service address: a server with a wrong ALM_BASE_URL returns links that cannot be reached. */
async function readKey(context: Context, link: URL): Promise<string> {
  const { timeout } = context.settings;
  const fallback = atServiceAddress(context, link);
  try {
    return await download(context, link, fallback ? Math.min(timeout, foreignSeconds) : timeout);
  } catch (error) {
    if (!fallback || !(error instanceof CliError) || error.exitReason !== 'noAnswer') throw error;
    return download(context, fallback, timeout);
  }
}

export const printKey: Run = async (context) => {
  const { args, out } = context;
  const key = await readKey(context, await requestLink(context));
  if (!args.has('out')) out.info('payload:');
  out.keepPrivate();
  out.data(key);
};
