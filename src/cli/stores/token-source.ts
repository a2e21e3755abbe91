import type { Args } from '../args/args.ts';
import { CliError } from '../cli-error.ts';
import { isSameAddress } from '../net/address.ts';
import type { TokenSource } from '../net/api.ts';
import { requestToken } from '../net/request-token.ts';
import type { Trace } from '../net/trace.ts';
import type { Profile } from '../settings/settings.ts';
import type { System } from '../system.ts';
import { clientFromEnvironment, incompletePairs, userFromEnvironment } from './environment-sign-in.ts';
import type { CredentialStore, StoredLogin } from './store.ts';

interface TokenContext {
  system: System;
  args: Args;
  settings: Profile;
  profile: string;
  /** URL of the service that issued the token in the file. */
  savedFor: string;
  trace: Trace;
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

interface FoundLogin {
  store: CredentialStore;
  login: StoredLogin;
}

/** The login in the native store; otherwise the reasons why there is none. */
async function findLogin({ system, profile }: TokenContext): Promise<FoundLogin | string[]> {
  const { detectStore } = await import('./find-store.ts');
  const { store, unusable } = await detectStore(system);
  const login = await store?.read(profile);
  return store && login ? { store, login } : unusable.map((reason) => `No credential store: ${reason}.`);
}

/** The token in the native store, or a new one if that has expired or was rejected. */
async function storedToken(
  context: TokenContext,
  { store, login }: FoundLogin,
  rejected?: string,
): Promise<string> {
  const { system, profile } = context;
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

/** A saved login, then the API client in the environment, which also serves where the login is for another server. */
async function storedOrClientToken(context: TokenContext, rejected?: string): Promise<string> {
  const { system, settings } = context;
  const client = clientFromEnvironment(system.env);
  const found = await findLogin(context).catch((error: unknown) => {
    // A program must not depend on a store that it does not use.
    if (!client) throw error;
    return [];
  });
  const isUsable = 'login' in found && (!client || isSameAddress(found.login.url, settings.api_url));
  if (isUsable) return storedToken(context, found, rejected);
  if (client) return (await requestToken(context, client)).token;
  throw notSignedIn([...incompletePairs(system.env), ...('login' in found ? [] : found)]);
}

type Origin = 'explicit' | 'user' | 'file' | 'other';

/**
 * Where the token comes from. Explicit tokens come first (`--token`, `ALM_TOKEN`), then the user in the environment, then the
 * saved login: the token in the file, which is empty if the native store has one.
 */
function originOf({ args, system, settings, savedFor }: TokenContext): Origin {
  if (args.has('token') || system.env.ALM_TOKEN) return 'explicit';
  if (userFromEnvironment(system.env)) return 'user';
  if (settings.access_token === '') return 'other';
  const hasClient = clientFromEnvironment(system.env) !== null;
  return hasClient && !isSameAddress(savedFor, settings.api_url) ? 'other' : 'file';
}

/** Finds a token other than the rejected one. */
async function findToken(context: TokenContext, rejected?: string): Promise<string> {
  const { system, settings } = context;
  const origin = originOf(context);
  if (origin === 'explicit' && settings.access_token === '') throw notSignedIn();
  if (origin === 'explicit') return settings.access_token;
  if (origin === 'file') return savedToken(context);
  const user = userFromEnvironment(system.env);
  if (user) return (await requestToken(context, user)).token;
  return storedOrClientToken(context, rejected);
}

export function tokenSource(context: TokenContext): TokenSource {
  // Caches promises, so that concurrent calls sign in once.
  let current: Promise<string> | undefined;
  let renewal: { rejected: string; token: Promise<string> } | undefined;
  const isRenewable = ['user', 'other'].includes(originOf(context));
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
