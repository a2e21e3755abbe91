import { CliError, usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { isPlaintext, isSameAddress } from '../../net/address.ts';
import { type FreshToken, requestToken, type SignIn } from '../../net/request-token.ts';
import { type Config, changeConfig, defaultProfileName } from '../../settings/config-file.ts';
import { defaults, type Profile } from '../../settings/settings.ts';
import { detectStore } from '../../stores/find-store.ts';
import type { StoredLogin } from '../../stores/store.ts';
import { type Where, whereToSignIn } from './login-where.ts';
import { whoSignsIn } from './login-who.ts';

const isProfileName = (name: string): boolean => /^[a-z\d][\w.-]{0,63}$/i.test(name);

/** Flags that are about the profile and not about this one command. */
const remembered = (
  context: Context,
  before: Profile,
): Pick<Profile, 'api_version' | 'indent' | 'timeout'> => {
  const { args, settings } = context;
  return {
    api_version: args.has('apiver') ? settings.api_version : before.api_version,
    indent: args.has('indent') ? settings.indent : before.indent,
    timeout: args.has('timeout') ? settings.timeout : before.timeout,
  };
};

/** Gives the name of the store that keeps it, or null: then it is for the file. */
async function keepInStore({ system, profile, out }: Context, kept: StoredLogin): Promise<string | null> {
  const { store, isNamed, unusable } = await detectStore(system);
  if (!store) {
    for (const why of unusable) out.info(`No native store: ${why}.`);
    return null;
  }
  try {
    await store.write(profile, kept);
    return store.name;
  } catch (error) {
    if (isNamed || !(error instanceof CliError) || error.exitReason === 'interrupted') throw error;
    out.warn(`${error.message} The configuration file is used instead.`);
    for (const line of error.lines) out.more(line);
    return null;
  }
}

async function writeProfile(
  context: Context,
  { addresses, name }: Where,
  { token, expires }: FreshToken,
): Promise<void> {
  const { profile } = context;
  await changeConfig(context.system, context.config.path, (config): Config => {
    const before = config.profiles.get(profile) ?? defaults;
    const after: Profile = {
      ...before,
      ...addresses,
      ...remembered(context, before),
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

/** Where it is, until when it is good, and what stands before it. */
function tellResult(context: Context, signIn: SignIn, kept: StoredLogin, storeName: string | null): void {
  const { out, profile, config, system } = context;
  out.info('Login successful.');
  out.more(`Signed in at ${kept.url} as ${signIn.username ?? signIn.clientId}.`);
  if (storeName === null) out.more(`The token is kept in ${config.path}, and is good until ${kept.expires}.`);
  else
    out.more(
      `Credentials and token are kept in ${storeName}. The token is good until ${kept.expires}, and is renewed by itself.`,
    );
  if (profile !== defaultProfileName && profile !== config.content.current)
    out.more(`Use it: --profile ${profile}, or from now on: alm profile use ${profile}`);
  const { ALM_TOKEN, ALM_URL, ALM_CLIENT_ID, ALM_CLIENT_SECRET } = system.env;
  if (ALM_TOKEN)
    out.warn('ALM_TOKEN is set in the environment: other commands use that token, not this one.');
  else if (ALM_CLIENT_ID && ALM_CLIENT_SECRET)
    out.warn(
      'ALM_CLIENT_ID and ALM_CLIENT_SECRET are set in the environment: other commands sign in with them.',
    );
  if (ALM_URL && !isSameAddress(ALM_URL, kept.url))
    out.warn(`ALM_URL is set in the environment: other commands go to ${ALM_URL}.`);
}

export const login: Run = async (context) => {
  const { system, settings, profile, out, trace } = context;
  if (!isProfileName(profile))
    throw usageError(
      `A profile cannot be called "${profile}".`,
      'Letters, digits, ".", "_" and "-", at most 64, beginning with a letter or a digit.',
    );
  const where = whereToSignIn(context);
  const { api_url: url } = where.addresses;
  if (isPlaintext(url))
    out.warn(`${url} is not encrypted: whoever is on the way can read the password and the token.`);
  const signIn = await whoSignsIn(context);
  const fresh = await requestToken({ system, settings: { ...settings, ...where.addresses }, trace }, signIn);
  const kept: StoredLogin = { ...fresh, signIn, url };
  const storeName = await keepInStore(context, kept);
  await writeProfile(context, where, storeName === null ? fresh : { token: '', expires: '' });
  tellResult(context, signIn, kept, storeName);
};
