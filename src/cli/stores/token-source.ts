import { publicClientId } from '../../contract/client-kinds.ts';
import type { Args } from '../args/args.ts';
import { CliError } from '../cli-error.ts';
import { isSameAddress } from '../net/address.ts';
import type { TokenSource } from '../net/api.ts';
import { requestToken, type SignIn } from '../net/request-token.ts';
import type { Trace } from '../net/trace.ts';
import type { Profile } from '../settings/settings.ts';
import type { System } from '../system.ts';

interface TokenContext {
  system: System;
  args: Args;
  settings: Profile;
  profile: string;
  /** URL of the service that issued the token in the file. */
  savedFor: string;
  trace: Trace;
}

/** Credentials in the environment; null if there are none. */
function signInFromEnvironment({ env }: Pick<System, 'env'>): SignIn | null {
  const { ALM_CLIENT_ID: clientId, ALM_CLIENT_SECRET: clientSecret } = env;
  const { ALM_USERNAME: username, ALM_PASSWORD: password } = env;
  if (!clientId && username && password) return { clientId: publicClientId, username, password };
  if (!clientId || !clientSecret) return null;
  if (!username && !password) return { clientId, clientSecret };
  if (!username || !password) {
    const [set, unset] = username ? ['ALM_USERNAME', 'ALM_PASSWORD'] : ['ALM_PASSWORD', 'ALM_USERNAME'];
    throw new CliError('signIn', `${set} is set, but ${unset} is not.`, {
      hints: ['Set both to sign in as a user, or neither to sign in as the API client.'],
    });
  }
  return { clientId, clientSecret, username, password };
}

const notSignedIn = (lines: readonly string[] = []): CliError =>
  new CliError('signIn', 'You are not signed in.', {
    lines,
    hints: [
      'alm login',
      'Or set ALM_TOKEN, or ALM_USERNAME and ALM_PASSWORD, or ALM_CLIENT_ID and ALM_CLIENT_SECRET.',
    ],
  });

const expired = (when: string): CliError =>
  new CliError('signIn', `Your login expired at ${when}.`, { hints: ['alm login'] });

/** Never sends credentials of one server to another: `--url` and `ALM_URL` change the server of a command. */
function requireSameServer(savedUrl: string, { settings: { api_url: url }, profile }: TokenContext): void {
  if (isSameAddress(savedUrl, url)) return;
  throw new CliError('signIn', `You are not signed in at ${url}: profile ${profile} is for ${savedUrl}.`, {
    hints: [
      `alm login --url ${url}`,
      `To keep both: alm login --profile <name> --url ${url}`,
      'Or use a token of that server: --token',
    ],
  });
}

function savedToken(context: TokenContext): string {
  const { settings, system, savedFor } = context;
  const { access_token: token, token_expires: expires } = settings;
  requireSameServer(savedFor, context);
  if (expires !== '' && Date.parse(expires) <= system.clock.now()) throw expired(expires);
  return token;
}

/** The token in the native store, or a new one if that has expired or was rejected. */
async function storedToken(context: TokenContext, rejected?: string): Promise<string> {
  const { system, profile } = context;
  const { detectStore } = await import('./find-store.ts');
  const { store, unusable } = await detectStore(system);
  const login = await store?.read(profile);
  if (!store || !login) throw notSignedIn(unusable.map((reason) => `No credential store: ${reason}.`));
  requireSameServer(login.url, context);
  // Another `alm` may have renewed it.
  if (login.token !== rejected && Date.parse(login.expires) > system.clock.now()) return login.token;
  const fresh = await requestToken(context, login.signIn);
  try {
    await store.replace(profile, { ...login, ...fresh });
  } catch (error) {
    // This command has a token, and the credentials are still stored: the next command requests a token again.
    if (!(error instanceof CliError) || error.exitReason === 'interrupted') throw error;
  }
  return fresh.token;
}

/**
 * Where the token comes from. Explicit tokens come first (`--token`, `ALM_TOKEN`), then the credentials in the
 * environment, then the token in the file, which is empty if the native store has one.
 */
function originOf({ args, system, settings }: TokenContext): 'explicit' | 'environment' | 'file' | 'store' {
  if (args.has('token') || system.env.ALM_TOKEN) return 'explicit';
  if (signInFromEnvironment(system)) return 'environment';
  return settings.access_token === '' ? 'store' : 'file';
}

/** Finds a token other than the rejected one. */
async function findToken(context: TokenContext, rejected?: string): Promise<string> {
  const { system, settings } = context;
  const origin = originOf(context);
  if (origin === 'explicit' && settings.access_token === '') throw notSignedIn();
  if (origin === 'explicit') return settings.access_token;
  if (origin === 'file') return savedToken(context);
  const signIn = signInFromEnvironment(system);
  if (signIn) return (await requestToken(context, signIn)).token;
  return storedToken(context, rejected);
}

export function tokenSource(context: TokenContext): TokenSource {
  // Caches promises, so that concurrent calls sign in once.
  let current: Promise<string> | undefined;
  let renewal: { rejected: string; token: Promise<string> } | undefined;
  const isRenewable = ['store', 'environment'].includes(originOf(context));
  return {
    token: () => (current ??= findToken(context)),
    renew: async (rejected) => {
      if (!isRenewable) return null;
      if (renewal?.rejected !== rejected) renewal = { rejected, token: findToken(context, rejected) };
      current = renewal.token;
      return current;
    },
  };
}
