import type { TokenSource } from './api.ts';
import type { Given } from './given.ts';
import { requestToken, type SignIn } from './request-token.ts';
import type { Profile } from './settings.ts';
import { findStore } from './stores/find-store.ts';
import type { Kept } from './stores/store.ts';
import type { System } from './system.ts';
import type { Trace } from './trace.ts';
import { Trouble } from './trouble.ts';

interface Asked {
  system: System;
  given: Given;
  settings: Profile;
  profile: string;
  trace: Trace;
}

/** What the environment says of who we are; null when it says nothing. */
export function signInFromEnvironment({ env }: Pick<System, 'env'>): SignIn | null {
  const { ALM_CLIENT_ID: clientId, ALM_CLIENT_SECRET: clientSecret } = env;
  const { ALM_USERNAME: username, ALM_PASSWORD: password } = env;
  if (!clientId || !clientSecret) return null;
  if (!username || !password) return { clientId, clientSecret };
  return { clientId, clientSecret, username, password };
}

const notSignedIn = (): Trouble =>
  new Trouble('signIn', 'You are not signed in.', {
    hints: [
      'alm login',
      'Or set ALM_TOKEN, or ALM_CLIENT_ID, ALM_CLIENT_SECRET, ALM_USERNAME and ALM_PASSWORD.',
    ],
  });

const expired = (when: string): Trouble =>
  new Trouble('signIn', `Your sign-in expired at ${when}.`, { hints: ['alm login'] });

function savedToken({ settings, system }: Asked): string {
  const { access_token: token, token_expires: expires } = settings;
  if (token === '') throw notSignedIn();
  if (expires !== '' && Date.parse(expires) <= system.clock.now()) throw expired(expires);
  return token;
}

/**
 * Which token a command uses. What was said for this one command counts first: `--token`, `ALM_TOKEN`, then the
 * credentials in the environment; then the native store; then the token in the file.
 */
export function tokenSource(asked: Asked): TokenSource {
  const { system, given, settings, profile, trace } = asked;
  const explicit = given.has('token') || Boolean(system.env.ALM_TOKEN);
  let current: string | null = null;

  /** A fresh one for whom the native store keeps; null when it keeps nobody. */
  const fromStore = async (isWanted: (kept: Kept) => boolean): Promise<string | null> => {
    const store = await findStore(system);
    const kept = await store?.read(profile);
    if (!store || !kept) return null;
    if (isWanted(kept)) return kept.token;
    const fresh = await requestToken({ system, settings, trace }, kept.signIn);
    await store.write(profile, { ...kept, ...fresh });
    return fresh.token;
  };
  const isGood = ({ token, expires }: Kept): boolean =>
    token !== '' && Date.parse(expires) > system.clock.now();

  const find = async (): Promise<string> => {
    if (explicit) return settings.access_token;
    const fromEnvironment = signInFromEnvironment(system);
    if (fromEnvironment) return (await requestToken({ system, settings, trace }, fromEnvironment)).token;
    return (await fromStore(isGood)) ?? savedToken(asked);
  };

  return {
    token: async () => (current ??= await find()),
    renew: async () => {
      if (explicit || signInFromEnvironment(system)) return null;
      const renewed = await fromStore(() => false);
      current = renewed ?? current;
      return renewed;
    },
  };
}
