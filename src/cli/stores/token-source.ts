import type { Args } from '../args/args.ts';
import { CliError } from '../cli-error.ts';
import { isSameAddress } from '../net/address.ts';
import type { TokenSource } from '../net/api.ts';
import { requestToken, type SignIn } from '../net/request-token.ts';
import type { Trace } from '../net/trace.ts';
import type { Profile } from '../settings/settings.ts';
import type { System } from '../system.ts';

interface Asked {
  system: System;
  args: Args;
  settings: Profile;
  profile: string;
  /** The address the token in the file was given at. */
  savedFor: string;
  trace: Trace;
}

/** What the environment says of who we are; null when it says nothing. */
function signInFromEnvironment({ env }: Pick<System, 'env'>): SignIn | null {
  const { ALM_CLIENT_ID: clientId, ALM_CLIENT_SECRET: clientSecret } = env;
  const { ALM_USERNAME: username, ALM_PASSWORD: password } = env;
  if (!clientId || !clientSecret) return null;
  if (!username && !password) return { clientId, clientSecret };
  if (!username || !password) {
    const [set, unset] = username ? ['ALM_USERNAME', 'ALM_PASSWORD'] : ['ALM_PASSWORD', 'ALM_USERNAME'];
    throw new CliError('signIn', `${set} is set, but ${unset} is not.`, {
      hints: ['Set both to sign in as a user, or none to sign in as the API client itself.'],
    });
  }
  return { clientId, clientSecret, username, password };
}

const notSignedIn = (lines: readonly string[] = []): CliError =>
  new CliError('signIn', 'You are not signed in.', {
    lines,
    hints: [
      'alm login',
      'Or set ALM_TOKEN, or ALM_CLIENT_ID, ALM_CLIENT_SECRET, ALM_USERNAME and ALM_PASSWORD.',
    ],
  });

const expired = (when: string): CliError =>
  new CliError('signIn', `Your sign-in expired at ${when}.`, { hints: ['alm login'] });

/** What one server gave or knows is nothing for another: `--url` and `ALM_URL` change where a command goes. */
function mustBeFor(address: string, { settings: { api_url: asked }, profile }: Asked): void {
  if (isSameAddress(address, asked)) return;
  throw new CliError('signIn', `You are not signed in at ${asked}: profile ${profile} is for ${address}.`, {
    hints: [
      `alm login --url ${asked}`,
      `To keep both: alm login --profile <name> --url ${asked}`,
      'Or give a token for it: --token',
    ],
  });
}

function savedToken(asked: Asked): string {
  const { settings, system, savedFor } = asked;
  const { access_token: token, token_expires: expires } = settings;
  mustBeFor(savedFor, asked);
  if (expires !== '' && Date.parse(expires) <= system.clock.now()) throw expired(expires);
  return token;
}

/** The token the native store keeps, or another for whom it keeps: where that one has expired or was refused. */
async function keptToken(asked: Asked, refused?: string): Promise<string> {
  const { system, profile } = asked;
  // Loaded only by those who need it, and few do.
  const { lookForStore } = await import('./find-store.ts');
  const { store, unusable } = await lookForStore(system);
  const kept = await store?.read(profile);
  if (!store || !kept) throw notSignedIn(unusable.map((why) => `No native store: ${why}.`));
  mustBeFor(kept.url, asked);
  // Another `alm` may have renewed it meanwhile.
  if (kept.token !== refused && Date.parse(kept.expires) > system.clock.now()) return kept.token;
  const fresh = await requestToken(asked, kept.signIn);
  try {
    await store.replace(profile, { ...kept, ...fresh });
  } catch (error) {
    // The command has what it needs, and who signs in is still kept: the next one asks for a token again.
    if (!(error instanceof CliError) || error.ending === 'interrupted') throw error;
  }
  return fresh.token;
}

/**
 * Where a command's token comes from. What was said for this one command counts first: `--token`, `ALM_TOKEN`, then the
 * credentials in the environment; then the token in the file, which is empty while the native store keeps one.
 */
function originOf({ args, system, settings }: Asked): 'given' | 'environment' | 'file' | 'store' {
  if (args.has('token') || system.env.ALM_TOKEN) return 'given';
  if (signInFromEnvironment(system)) return 'environment';
  return settings.access_token === '' ? 'store' : 'file';
}

/** `refused` is a token that was not taken: another one is wanted. */
async function findToken(asked: Asked, refused?: string): Promise<string> {
  const { system, settings } = asked;
  const origin = originOf(asked);
  if (origin === 'given' && settings.access_token === '') throw notSignedIn();
  if (origin === 'given') return settings.access_token;
  if (origin === 'file') return savedToken(asked);
  const signIn = signInFromEnvironment(system);
  if (signIn) return (await requestToken(asked, signIn)).token;
  return keptToken(asked, refused);
}

export function tokenSource(asked: Asked): TokenSource {
  // Promises are kept, so that calls made at once sign in once.
  let current: Promise<string> | undefined;
  let renewal: { refused: string; token: Promise<string> } | undefined;
  const isRenewable = ['store', 'environment'].includes(originOf(asked));
  return {
    token: () => (current ??= findToken(asked)),
    renew: async (refused) => {
      if (!isRenewable) return null;
      if (renewal?.refused !== refused) renewal = { refused, token: findToken(asked, refused) };
      current = renewal.token;
      return current;
    },
  };
}
