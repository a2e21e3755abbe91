import { createHash } from 'node:crypto';
import { randomText } from '../../../basics/random.ts';
import { CliError, usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { ApiError } from '../../net/api-error.ts';
import { isSuccess, readBody, send } from '../../net/http.ts';
import { type FreshToken, readToken } from '../../net/request-token.ts';
import { openBrowser } from '../../terminal/browser.ts';
import { listenForCode } from './listen-for-code.ts';

const client_id = 'alm';

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

interface Request {
  method: string;
  url: URL;
  body?: string;
}

async function call(context: Context, { method, url, body }: Request) {
  const { system, trace, settings } = context;
  const headers = { 'content-type': 'application/json', 'user-agent': 'alm' };
  trace.request(method, url, headers);
  const response = await send(system, { method, url, headers, body, timeoutSeconds: settings.timeout });
  trace.response(response);
  const text = await readBody(response, url);
  trace.done();
  return { ...response, text };
}

interface Way {
  /** Where the browser starts, below the address of the server. */
  start: string;
  /** What a server that offers this way answers there, asked before the browser is opened. */
  status: number;
}

const ways: Readonly<Record<'browser' | 'sso', Way>> = {
  // Any way of signing in that the page of the server offers.
  browser: { start: '/console/sign-in/alm', status: 200 },
  sso: { start: '/v3/sign_in/oidc', status: 302 },
};

/** Null: the command line asks for the password itself. */
export function browserWay({ args }: Context): Way | null {
  const name = (['browser', 'sso'] as const).find((flag) => args.is(flag));
  if (name) return ways[name];
  if (args.is('no-browser'))
    throw usageError('--no-browser requires --browser or --sso.', 'Add one of them, or remove it.');
  return null;
}

/** A server without a provider, or whose provider is down, is reported here instead of in the browser. */
async function checkStart(context: Context, url: URL, status: number): Promise<void> {
  const answer = await call(context, { method: 'GET', url });
  if (answer.status !== status)
    throw new ApiError({ ...answer, hints: ['Sign in with a password: alm login'] });
}

async function showStart({ out, system, args }: Context, url: URL): Promise<void> {
  out.info('Sign in in your browser. If it does not open, visit:');
  out.more(url.href);
  if (!args.is('no-browser')) await openBrowser(system, url.href);
}

async function redeem(context: Context, base: string, proof: { code: string; code_verifier: string }) {
  const url = new URL(`${base}/v3/access_token`);
  const body = JSON.stringify({ grant_type: 'authorization_code', client_id, ...proof });
  const answer = await call(context, { method: 'POST', url, body });
  if (!isSuccess(answer.status)) throw new CliError('signIn', new ApiError(answer).message);
  return readToken(answer.text, context.system.clock.now(), url);
}

/** Signs in through the browser, which hands a code to an address of this machine. */
export async function signInWithBrowser(context: Context, apiUrl: string, way: Way): Promise<FreshToken> {
  const base = apiUrl.replace(/\/+$/, '');
  const verifier = randomText(64);
  const state = randomText(32);
  const listener = await listenForCode(context.system.clock, state);
  try {
    const start = new URL(base + way.start);
    start.search = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: listener.redirectUri,
      state,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    }).toString();
    await checkStart(context, start, way.status);
    await showStart(context, start);
    return await redeem(context, base, { code: await listener.code, code_verifier: verifier });
  } finally {
    listener.close();
  }
}
