import type { createKeyLink as createV2KeyLink } from '../../../contract/v2/keys.ts';
import type { createKeyLink } from '../../../contract/v3/keys.ts';
import { CliError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { ApiError } from '../../net/api-error.ts';
import { isSuccess, readBody, send } from '../../net/http.ts';

const path = '/v3/alm/pem/';
const strangerSeconds = 10;

async function askForLink({ api, args, version }: Context): Promise<URL> {
  const flag = args.text('flag');
  const query = { stack_id: args.required('id'), ...(flag ? { flag } : {}) };
  const { body } = await (version === 'v2'
    ? api.call<typeof createV2KeyLink>('GET', '/v2/alm/pem', { query })
    : api.call<typeof createKeyLink>('GET', '/v3/alm/pem', { query }));
  const link = URL.canParse(body.data) ? new URL(body.data) : null;
  if (link && /^https?:$/.test(link.protocol)) return link;
  throw new CliError('refused', 'The service answered without a link to the key.');
}

/** Whoever knows the link can read the key: it is shown to nobody, and no token goes with it. */
async function follow({ system, trace }: Context, link: URL, timeoutSeconds: number): Promise<string> {
  const headers = { 'user-agent': 'alm' };
  trace.request('GET', new URL(`${link.origin}${path}link`), headers);
  const received = await send(system, { method: 'GET', url: link, headers, timeoutSeconds });
  trace.response(received);
  const text = await readBody(received, link);
  trace.done();
  const { status, statusLine } = received;
  if (!isSuccess(status)) throw new ApiError({ status, statusLine, text });
  if (/^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return text;
  throw new CliError('refused', `The link to the key leads to something else at ${link.origin}.`, {
    hints: ['Does the service know the address it is reached at? Whoever runs it sets ALM_BASE_URL.'],
  });
}

/** The same at the address the service was just reached at; null where that makes no difference. */
function atOurAddress({ settings }: Context, link: URL): URL | null {
  const begins = link.pathname.lastIndexOf(path);
  if (begins === -1) return null;
  const ours = new URL(settings.api_url.replace(/\/+$/, '') + link.pathname.slice(begins));
  return ours.href === link.href ? null : ours;
}

/** A service that was not told its address may give a link that leads nowhere from here, or to silence. */
async function readKey(context: Context, link: URL): Promise<string> {
  const { timeout } = context.settings;
  const ours = atOurAddress(context, link);
  try {
    return await follow(context, link, ours ? Math.min(timeout, strangerSeconds) : timeout);
  } catch (error) {
    if (!ours || !(error instanceof CliError) || error.exitReason !== 'noAnswer') throw error;
    return follow(context, ours, timeout);
  }
}

export const printKey: Run = async (context) => {
  const { args, out } = context;
  const key = await readKey(context, await askForLink(context));
  if (!args.has('out')) out.info('payload:');
  out.keepPrivate();
  out.data(key);
};
