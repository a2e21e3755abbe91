import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Clock } from '../../basics/clock.ts';
import { isObject } from '../../basics/is-object.ts';
import { replaceFile } from '../../basics/replace-file.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { Environment } from '../system.ts';
import { withFileLock } from './file-lock.ts';
import { completeProfile, defaults, fixConfigHint, type Profile } from './settings.ts';

export const defaultProfileName = 'default';

/** URLs that `login --endpoints` selects by name. */
export type Endpoints = Pick<Profile, 'api_url' | 'registry_url' | 'gateway_url'>;

/** Content of the configuration file. Its top level is the profile `default`; the others are under `profiles`. */
export interface Config {
  /** The profile used unless another is selected. */
  current: string;
  profiles: ReadonlyMap<string, Profile>;
  endpoints: ReadonlyMap<string, Endpoints>;
  /** The profile whose login container tools use, by registry host. Written by `registry login`. */
  registries: ReadonlyMap<string, string>;
}

/** `ALM_CONFIG`, or a file in `XDG_CONFIG_HOME`, or a file in the home directory. */
export const configPath = (env: Environment, home: string): string => {
  if (env.ALM_CONFIG) return env.ALM_CONFIG;
  // The XDG specification says to ignore relative paths.
  return env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME)
    ? join(env.XDG_CONFIG_HOME, 'alm', 'config.yml')
    : join(home, '.alm', 'config.yml');
};

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): [string, Members][] =>
  isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, Members] => isObject(entry[1]))
    : [];

const textsOf = (value: unknown): [string, string][] =>
  isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    : [];

const onlyEndpoints = ({ api_url, registry_url, gateway_url }: Profile): Endpoints => ({
  api_url,
  registry_url,
  gateway_url,
});

/** Parses YAML or JSON. alm writes JSON: loading the YAML parser takes as long as a short command. */
async function parseConfig(content: string): Promise<unknown> {
  if (content.startsWith('{')) {
    try {
      return JSON.parse(content) as unknown;
    } catch {
      // It may be a YAML flow mapping.
    }
  }
  const { parse } = await import('yaml');
  // A warning would quote the file, which contains tokens.
  return parse(content, { logLevel: 'error' }) as unknown;
}

async function readMembers(path: string): Promise<Members> {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new CliError('refused', `Cannot read the configuration file ${path}.`, { cause: error });
  }
  try {
    const parsed = await parseConfig(content);
    if (parsed === null || isObject(parsed)) return parsed ?? {};
  } catch (error) {
    throw invalidConfig(path, error);
  }
  throw invalidConfig(path, undefined);
}

const invalidConfig = (path: string, cause: unknown): CliError =>
  new CliError('refused', `The configuration file ${path} is invalid.`, {
    lines: cause instanceof Error ? [cause.message.split('\n')[0] ?? ''] : [],
    hints: [fixConfigHint],
    // No cause: the parser's error quotes the file, which contains tokens.
  });

/** Returns the result of `read`, or the fallback if it throws a CliError. */
export const withFallback = <T>(read: () => T, fallback: T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof CliError) return fallback;
    throw error;
  }
};

/** Reads the file. With `tolerant`, invalid settings become the defaults: for commands that repair the file. */
export async function readConfig(path: string, tolerant = false): Promise<Config> {
  const members = await readMembers(path).catch((error: unknown): Members => {
    if (tolerant && error instanceof CliError) return {};
    throw error;
  });
  const { profile, profiles, endpoints, registries } = members;
  const complete = (found: Members, where: string): Profile =>
    tolerant ? withFallback(() => completeProfile(found, where), defaults) : completeProfile(found, where);
  return {
    current: typeof profile === 'string' && profile !== '' ? profile : defaultProfileName,
    profiles: new Map([
      [defaultProfileName, complete(members, path)],
      ...membersOf(profiles).map(
        ([name, found]) => [name, complete(found, `${path}, profile ${name}`)] as const,
      ),
    ]),
    endpoints: new Map(
      membersOf(endpoints).map(([name, found]) => [
        name,
        onlyEndpoints(complete(found, `${path}, endpoints ${name}`)),
      ]),
    ),
    registries: new Map(textsOf(registries)),
  };
}

/** Without the members that only some profiles have. */
const written = ({ stack, ...profile }: Profile): Partial<Profile> => ({
  ...profile,
  ...(stack === '' ? {} : { stack }),
});

const asText = ({ current, profiles, endpoints, registries }: Config): string => {
  const others = [...profiles]
    .filter(([name]) => name !== defaultProfileName)
    .map(([name, profile]) => [name, written(profile)]);
  const members = {
    ...written(profiles.get(defaultProfileName) ?? defaults),
    ...(current === defaultProfileName ? {} : { profile: current }),
    ...(others.length > 0 ? { profiles: Object.fromEntries(others) } : {}),
    ...(endpoints.size > 0 ? { endpoints: Object.fromEntries(endpoints) } : {}),
    ...(registries.size > 0 ? { registries: Object.fromEntries(registries) } : {}),
  };
  return `${JSON.stringify(members, null, 2)}\n`;
};

/** Writes the file atomically, readable by its owner only. */
function writeConfig(path: string, config: Config): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, asText(config));
  } catch (error) {
    throw new CliError('refused', `Cannot write the configuration file ${path}.`, {
      lines: error instanceof Error ? [error.message] : [],
      hints: ['To use another file, set ALM_CONFIG'],
      cause: error,
    });
  }
}

type ChangeConfig = (config: Config) => Config;
type HasClock = { readonly clock: Clock };

/** Reads, changes and writes the file under a lock: another `alm` may log in at the same time. */
export const changeConfig = ({ clock }: HasClock, path: string, change: ChangeConfig): Promise<void> =>
  withFileLock(clock, path, async () => writeConfig(path, change(await readConfig(path))));

/** Like `changeConfig`, but replaces invalid settings with the defaults. */
export const repairConfig = ({ clock }: HasClock, path: string, change: ChangeConfig): Promise<void> =>
  withFileLock(clock, path, async () => writeConfig(path, change(await readConfig(path, true))));

export const noSuchProfile = ({ profiles }: Config, name: string, path: string): CliError =>
  usageError(
    `Profile "${name}" not found in ${path}.`,
    `Profiles: ${[...profiles.keys()].join(', ')}`,
    `To create it: alm login --profile ${name} --url <url>`,
  );

/** Whether other users of this machine can read the file. */
export function isReadableByOthers(path: string, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return false;
  try {
    return (statSync(path).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}
