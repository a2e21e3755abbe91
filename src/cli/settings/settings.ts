import type { Args } from '../args/args.ts';
import type { ApiVersion } from '../args/flag.ts';
import { CliError } from '../cli-error.ts';
import type { Environment } from '../system.ts';

/** What a profile of the configuration file holds, by the names the file has. */
export interface Profile {
  access_token: string;
  /** ISO 8601; empty: not known. */
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
}

/** What `alm reset` goes back to. */
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
};

/** A setting may come from a flag, from the environment or from the file, and counts in that order. */
export const sources: readonly { setting: keyof Profile; flag: string; variable: string; about: string }[] = [
  { setting: 'access_token', flag: 'token', variable: 'ALM_TOKEN', about: 'access token' },
  { setting: 'api_url', flag: 'url', variable: 'ALM_URL', about: 'address of the service' },
  { setting: 'registry_url', flag: 'rurl', variable: 'ALM_REGISTRY_URL', about: 'address of the registry' },
  {
    setting: 'gateway_url',
    flag: 'surl',
    variable: 'ALM_GATEWAY_URL',
    about: 'address for terminals; empty: that of the service',
  },
  { setting: 'api_version', flag: 'apiver', variable: 'ALM_API_VERSION', about: '`v3` or `v2`' },
  { setting: 'indent', flag: 'indent', variable: 'ALM_INDENT', about: 'indent width of JSON' },
  { setting: 'timeout', flag: 'timeout', variable: 'ALM_TIMEOUT', about: 'seconds to wait for an answer' },
  { setting: 'verbose', flag: 'verbose', variable: 'ALM_VERBOSE', about: 'show requests and answers' },
  { setting: 'debug', flag: 'debug', variable: 'ALM_DEBUG', about: 'show where an error came from' },
];

const checks: Partial<Record<keyof Profile, (value: string) => boolean>> = {
  api_url: isAddress,
  registry_url: isAddress,
  gateway_url: (value) => value === '' || isAddress(value),
  api_version: (value) => value === 'v2' || value === 'v3',
  indent: (value) => /^\d$|^10$/.test(value),
  timeout: (value) => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 86_400,
  verbose: (value) => value === 'true' || value === 'false',
  debug: (value) => value === 'true' || value === 'false',
};

function isAddress(value: string): boolean {
  try {
    const { protocol, search, hash, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && search + hash + username + password === '';
  } catch {
    return false;
  }
}

const wantedForms: Partial<Record<keyof Profile, string>> = {
  api_version: 'v2 or v3',
  indent: 'a number from 0 to 10',
  timeout: 'a number of seconds from 1 to 86400',
  verbose: 'true or false',
  debug: 'true or false',
};

/** An address may have a password in it, which is why it is refused. */
const shownValue = (args: string): string => (args.includes('@') ? 'that' : `"${args}"`);

/** A setting as a text, checked; `where` names where it was written. */
function readSetting(
  setting: keyof Profile,
  args: string,
  where: string,
  ...hints: string[]
): Profile[keyof Profile] {
  const value = setting === 'api_version' && /^\d$/.test(args) ? `v${args}` : args;
  const written = typeof defaults[setting] === 'boolean' && value === '1' ? 'true' : value;
  if (checks[setting] && !checks[setting](written))
    throw new CliError('usage', `${where} cannot be ${shownValue(args)}.`, {
      hints: [
        `It must be ${wantedForms[setting] ?? 'an address such as https://almanac.example.com'}.`,
        ...hints,
      ],
    });
  if (typeof defaults[setting] === 'number') return Number(written);
  return typeof defaults[setting] === 'boolean' ? written === 'true' : written;
}

/** A profile of the file with every member there, or a sentence about the one that is wrong. */
export function completeProfile(found: Readonly<Record<string, unknown>>, where: string): Profile {
  const entries = (Object.keys(defaults) as (keyof Profile)[]).map((setting) => {
    const value = found[setting];
    if (value === undefined || value === null) return [setting, defaults[setting]];
    const written = typeof value === 'string' ? value : JSON.stringify(value);
    return [
      setting,
      readSetting(setting, written, `${setting} in ${where}`, 'Mend it, or start anew: alm reset'),
    ];
  });
  return Object.fromEntries(entries) as Profile;
}

/** The profile with what the environment and the flags say in its place. */
export function resolveSettings(profile: Profile, env: Environment, args: Args): Profile {
  const resolved: Record<string, unknown> = { ...profile };
  for (const { setting, flag, variable } of sources) {
    const fromEnvironment = env[variable];
    if (fromEnvironment !== undefined && fromEnvironment !== '')
      resolved[setting] = readSetting(setting, fromEnvironment, variable);
    if (!args.has(flag)) continue;
    const value = args.text(flag) ?? args.number(flag) ?? args.is(flag);
    resolved[setting] = readSetting(setting, String(value), `--${flag}`);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every member was there and was replaced by its like
  return resolved as unknown as Profile;
}
