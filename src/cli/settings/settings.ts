import type { Args } from '../args/args.ts';
import type { ApiVersion } from '../args/flag.ts';
import { CliError } from '../cli-error.ts';
import type { Environment } from '../system.ts';

/** A profile of the configuration file, with the names used in the file. */
export interface Profile {
  access_token: string;
  /** ISO 8601; empty if unknown. */
  token_expires: string;
  api_url: string;
  registry_url: string;
  /** Empty: the same as api_url. */
  gateway_url: string;
  api_version: ApiVersion;
  indent: number;
  timeout: number;
  verbose: boolean;
  debug: boolean;
  /** The stack that commands use if none is given, as `alm use` writes it; empty: none. */
  stack: string;
}

/** Default settings, restored by `alm reset`. */
export const defaults: Profile = {
  access_token: '',
  token_expires: '',
  api_url: 'http://127.0.0.1:8080',
  registry_url: 'http://127.0.0.1:5000',
  gateway_url: '',
  api_version: 'v3',
  indent: 2,
  timeout: 120,
  verbose: false,
  debug: false,
  stack: '',
};

/** Sources of each setting. A flag overrides the environment variable, which overrides the file. */
export const sources: readonly { setting: keyof Profile; flag: string; variable: string; about: string }[] = [
  { setting: 'access_token', flag: 'token', variable: 'ALM_TOKEN', about: 'access token' },
  { setting: 'api_url', flag: 'url', variable: 'ALM_URL', about: 'URL of the service' },
  {
    setting: 'registry_url',
    flag: 'rurl',
    variable: 'ALM_REGISTRY_URL',
    about: 'URL of the registry; the default is replaced by what the service reports',
  },
  {
    setting: 'gateway_url',
    flag: 'surl',
    variable: 'ALM_GATEWAY_URL',
    about: 'URL for terminals; empty: the URL of the service',
  },
  { setting: 'api_version', flag: 'apiver', variable: 'ALM_API_VERSION', about: '`v3` or `v2`' },
  { setting: 'indent', flag: 'indent', variable: 'ALM_INDENT', about: 'indent width of JSON' },
  { setting: 'timeout', flag: 'timeout', variable: 'ALM_TIMEOUT', about: 'seconds to wait for a response' },
  { setting: 'verbose', flag: 'verbose', variable: 'ALM_VERBOSE', about: 'show requests and responses' },
  { setting: 'debug', flag: 'debug', variable: 'ALM_DEBUG', about: 'show stack traces of errors' },
];

const checks: Partial<Record<keyof Profile, (value: string) => boolean>> = {
  api_url: isHttpUrl,
  registry_url: isHttpUrl,
  gateway_url: (value) => value === '' || isHttpUrl(value),
  api_version: (value) => value === 'v2' || value === 'v3',
  indent: (value) => /^\d$|^10$/.test(value),
  timeout: (value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 86_400,
  verbose: (value) => value === 'true' || value === 'false',
  debug: (value) => value === 'true' || value === 'false',
};

function isHttpUrl(value: string): boolean {
  try {
    const { protocol, search, hash, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && search + hash + username + password === '';
  } catch {
    return false;
  }
}

const validForms: Partial<Record<keyof Profile, string>> = {
  api_version: 'v2 or v3',
  indent: 'an integer from 0 to 10',
  timeout: 'a number of seconds from 1 to 86400',
  verbose: 'true or false',
  debug: 'true or false',
};

/** A URL may contain a password, so it is not shown. */
const shownValue = (value: string): string => (value.includes('@') ? '' : `: "${value}"`);

interface WrittenSetting {
  value: string;
  /** Name of the flag, variable or file member, for error messages. */
  source: string;
  hints?: readonly string[];
}

/** Accepts `2` for `v2` and `1` for `true`. */
const normalized = (setting: keyof Profile, value: string): string => {
  if (setting === 'api_version' && /^\d$/.test(value)) return `v${value}`;
  return typeof defaults[setting] === 'boolean' && value === '1' ? 'true' : value;
};

/** Parses and checks a setting. */
function readSetting(setting: keyof Profile, written: WrittenSetting): Profile[keyof Profile] {
  const { source, hints = [] } = written;
  const value = normalized(setting, written.value);
  if (checks[setting] && !checks[setting](value))
    throw new CliError('usage', `Invalid value for ${source}${shownValue(written.value)}.`, {
      hints: [`It must be ${validForms[setting] ?? 'a URL such as https://almanac.example.com'}.`, ...hints],
    });
  if (typeof defaults[setting] === 'number') return Number(value);
  return typeof defaults[setting] === 'boolean' ? value === 'true' : value;
}

export const fixConfigHint = 'Fix the file, or restore the defaults: alm reset';

/** Reads a profile of the file and adds the defaults. Throws an error that names the first invalid member. */
export function completeProfile(members: Readonly<Record<string, unknown>>, file: string): Profile {
  const entries = (Object.keys(defaults) as (keyof Profile)[]).map((setting) => {
    const value = members[setting];
    if (value === undefined || value === null) return [setting, defaults[setting]];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const written = { value: text, source: `${setting} in ${file}`, hints: [fixConfigHint] };
    return [setting, readSetting(setting, written)];
  });
  return Object.fromEntries(entries) as Profile;
}

/** Overrides the profile with the environment and the flags. */
export function resolveSettings(profile: Profile, env: Environment, args: Args): Profile {
  const resolved: Record<string, unknown> = { ...profile };
  for (const { setting, flag, variable } of sources) {
    const fromEnvironment = env[variable];
    if (fromEnvironment !== undefined && fromEnvironment !== '')
      resolved[setting] = readSetting(setting, { value: fromEnvironment, source: variable });
    if (!args.has(flag)) continue;
    const value = String(args.text(flag) ?? args.number(flag) ?? args.is(flag));
    resolved[setting] = readSetting(setting, { value, source: `--${flag}` });
  }
  // Every member exists and keeps its type.
  return resolved as unknown as Profile;
}
