import { CliError, usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { isPlaintext, isSameAddress } from '../../net/address.ts';
import { CodeRequired, type FreshToken, requestToken, type SignIn } from '../../net/request-token.ts';
import { askLine } from '../../prompt/prompt.ts';
import { type Config, changeConfig, defaultProfileName } from '../../settings/config-file.ts';
import { defaults, type Profile } from '../../settings/settings.ts';
import { detectStore } from '../../stores/find-store.ts';
import type { StoredLogin } from '../../stores/store.ts';
import { type LoginAddresses, loginAddresses } from './addresses.ts';
import { askCredentials } from './ask-credentials.ts';
import { browserWay, signInWithBrowser } from './browser-sign-in.ts';

const isProfileName = (name: string): boolean => /^[a-z\d][\w.-]{0,63}$/i.test(name);

/** Settings that login saves in the profile when their flags are given. */
const savedSettings = (
  { args, settings }: Context,
  before: Profile,
): Pick<Profile, 'api_version' | 'indent' | 'timeout'> => ({
  api_version: args.has('apiver') ? settings.api_version : before.api_version,
  indent: args.has('indent') ? settings.indent : before.indent,
  timeout: args.has('timeout') ? settings.timeout : before.timeout,
});

/** Returns the name of the store that saved the credentials; null when the token belongs in the configuration file. */
async function saveInStore({ system, profile, out }: Context, kept: StoredLogin): Promise<string | null> {
  const { store, isNamed, unusable } = await detectStore(system);
  if (!store) {
    for (const reason of unusable) out.info(`Native credential store not available: ${reason}.`);
    return null;
  }
  try {
    await store.write(profile, kept);
    return store.name;
  } catch (error) {
    if (isNamed || !(error instanceof CliError) || error.exitReason === 'interrupted') throw error;
    out.warn(`${error.message} Using the configuration file instead.`);
    for (const line of error.lines) out.more(line);
    return null;
  }
}

async function writeProfile(
  context: Context,
  { addresses, name }: LoginAddresses,
  { token, expires }: FreshToken,
): Promise<void> {
  const { profile } = context;
  await changeConfig(context.system, context.config.path, (config): Config => {
    const before = config.profiles.get(profile) ?? defaults;
    const after: Profile = {
      ...before,
      ...addresses,
      ...savedSettings(context, before),
      access_token: token,
      token_expires: expires,
    };
    return {
      ...config,
      profiles: new Map([...config.profiles, [profile, after]]),
      endpoints: new Map([...config.endpoints, ...(name === undefined ? [] : [[name, addresses] as const])]),
    };
  });
}

interface SavedLogin {
  kept: StoredLogin;
  storeName: string | null;
  /** A code is not saved, so the token of such a login cannot be renewed. */
  withCode: boolean;
}

/** Reports where the token is saved and until when it is valid. */
function reportLogin(context: Context, { kept, storeName, withCode }: SavedLogin): void {
  const { out, profile, config } = context;
  const { signIn, url, expires } = kept;
  const renewal = withCode ? '; then sign in again with a one-time code' : ' and is renewed automatically';
  out.info('Login successful.');
  out.more(`Signed in to ${url} as ${signIn.username ?? signIn.clientId}.`);
  if (storeName === null) out.more(`Token saved in ${config.path}; valid until ${expires}.`);
  else
    out.more(`Credentials and token saved in ${storeName}. The token is valid until ${expires}${renewal}.`);
  if (profile !== defaultProfileName && profile !== config.content.current)
    out.more(`To use this profile: --profile ${profile}, or for all commands: alm profile use ${profile}`);
}

/** Warns about environment variables that take precedence over the new login. */
function warnAboutEnvironment({ out, system }: Context, url: string): void {
  const { ALM_TOKEN, ALM_URL, ALM_CLIENT_ID, ALM_CLIENT_SECRET, ALM_USERNAME, ALM_PASSWORD } = system.env;
  if (ALM_TOKEN)
    out.warn('ALM_TOKEN is set in the environment: other commands use that token, not this one.');
  else if (ALM_CLIENT_ID && ALM_CLIENT_SECRET)
    out.warn(
      'ALM_CLIENT_ID and ALM_CLIENT_SECRET are set in the environment: other commands sign in with them.',
    );
  else if (!ALM_CLIENT_ID && ALM_USERNAME && ALM_PASSWORD)
    out.warn('ALM_USERNAME and ALM_PASSWORD are set in the environment: other commands sign in with them.');
  if (ALM_URL && !isSameAddress(ALM_URL, url))
    out.warn(`ALM_URL is set in the environment: other commands use ${ALM_URL}.`);
}

/** Prompts for a one-time code only if the server requires one. The code is not saved. */
async function requestFirstToken(
  context: Context,
  settings: Profile,
  signIn: SignIn,
): Promise<{ fresh: FreshToken; withCode: boolean }> {
  const { args, system, trace } = context;
  const request = { system, settings, trace };
  const given = args.text('otp');
  const withOtp = async (otp: string) => ({
    fresh: await requestToken(request, { ...signIn, otp }),
    withCode: true,
  });
  if (given !== undefined) return withOtp(given);
  try {
    return { fresh: await requestToken(request, signIn), withCode: false };
  } catch (error) {
    if (!(error instanceof CodeRequired)) throw error;
  }
  return withOtp(await askLine(system, 'One-time code: ', '--otp'));
}

export const login: Run = async (context) => {
  const { settings, profile, out } = context;
  if (!isProfileName(profile))
    throw usageError(
      `Invalid profile name "${profile}".`,
      'Use at most 64 letters, digits, ".", "_" and "-", starting with a letter or a digit.',
    );
  const target = loginAddresses(context);
  const { api_url: url } = target.addresses;
  if (isPlaintext(url))
    out.warn(`${url} is not encrypted: the password and the token can be read in transit.`);
  const way = browserWay(context);
  if (way) {
    const fresh = await signInWithBrowser(context, url, way);
    await writeProfile(context, target, fresh);
    out.info('Login successful.');
    out.more(`Token saved in ${context.config.path}; valid until ${fresh.expires}.`);
    return warnAboutEnvironment(context, url);
  }
  const signIn = await askCredentials(context);
  const { fresh, withCode } = await requestFirstToken(context, { ...settings, ...target.addresses }, signIn);
  const kept: StoredLogin = { ...fresh, signIn, url };
  const storeName = await saveInStore(context, kept);
  await writeProfile(context, target, storeName === null ? fresh : { token: '', expires: '' });
  reportLogin(context, { kept, storeName, withCode });
  warnAboutEnvironment(context, url);
};
