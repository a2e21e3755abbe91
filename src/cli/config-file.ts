import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { completeProfile, defaults, type Profile } from './settings.ts';
import type { Environment } from './system.ts';
import { Trouble } from './trouble.ts';

export const defaultProfileName = 'default';

/** Addresses `login --endpoints` selects by name. */
export type Endpoints = Pick<Profile, 'api_url' | 'registry_url' | 'gateway_url'>;

/** Everything the file says. Its top level is the profile `default`; others stand under `profiles`. */
export interface Config {
  /** The profile used when none is named. */
  current: string;
  profiles: ReadonlyMap<string, Profile>;
  endpoints: ReadonlyMap<string, Endpoints>;
}

/** `ALM_CONFIG`, else below `XDG_CONFIG_HOME`, else in the home directory. */
export const configPath = (env: Environment, home: string): string => {
  if (env.ALM_CONFIG) return env.ALM_CONFIG;
  return env.XDG_CONFIG_HOME
    ? join(env.XDG_CONFIG_HOME, 'alm', 'config.yml')
    : join(home, '.alm', 'config.yml');
};

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const membersOf = (value: unknown): [string, Members][] =>
  isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, Members] => isObject(entry[1]))
    : [];

const endpointsIn = (found: Members): Endpoints => {
  const { api_url, registry_url, gateway_url } = completeProfile(found, 'endpoints');
  return { api_url, registry_url, gateway_url };
};

function readMembers(path: string): Members {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Trouble('refused', `The configuration ${path} cannot be read.`, { cause: error });
  }
  try {
    const found: unknown = parse(content);
    if (found === null || isObject(found)) return found ?? {};
  } catch (error) {
    throw unreadable(path, error);
  }
  throw unreadable(path, undefined);
}

const unreadable = (path: string, cause: unknown): Trouble =>
  new Trouble('refused', `The configuration ${path} is not what it should be.`, {
    lines: cause instanceof Error ? [cause.message.split('\n')[0] ?? ''] : [],
    hints: ['Mend it, or start anew: alm reset'],
    cause,
  });

export function readConfig(path: string): Config {
  const members = readMembers(path);
  const { profile, profiles, endpoints } = members;
  return {
    current: typeof profile === 'string' && profile !== '' ? profile : defaultProfileName,
    profiles: new Map([
      [defaultProfileName, completeProfile(members, path)],
      ...membersOf(profiles).map(
        ([name, found]) => [name, completeProfile(found, `${path}, profile ${name}`)] as const,
      ),
    ]),
    endpoints: new Map(membersOf(endpoints).map(([name, found]) => [name, endpointsIn(found)])),
  };
}

const asText = ({ current, profiles, endpoints }: Config): string => {
  const others = [...profiles].filter(([name]) => name !== defaultProfileName);
  return stringify({
    ...(profiles.get(defaultProfileName) ?? defaults),
    ...(current === defaultProfileName ? {} : { profile: current }),
    ...(others.length > 0 ? { profiles: Object.fromEntries(others) } : {}),
    ...(endpoints.size > 0 ? { endpoints: Object.fromEntries(endpoints) } : {}),
  });
};

/** Readable by its owner alone, and never half written. */
export function writeConfig(path: string, config: Config): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const beside = `${path}.new`;
    writeFileSync(beside, asText(config), { mode: 0o600 });
    chmodSync(beside, 0o600);
    renameSync(beside, path);
  } catch (error) {
    throw new Trouble('refused', `The configuration ${path} cannot be written.`, {
      lines: error instanceof Error ? [error.message] : [],
      hints: ['Another place: set ALM_CONFIG to a file of yours'],
      cause: error,
    });
  }
}

/** Whether others on this machine can read the tokens in it. */
export function othersCanRead(path: string, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return false;
  try {
    return (statSync(path).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}
