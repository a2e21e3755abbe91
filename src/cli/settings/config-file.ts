import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Clock } from '../../basics/clock.ts';
import { isObject } from '../../basics/is-object.ts';
import { CliError, wrongUsage } from '../cli-error.ts';
import type { Environment } from '../system.ts';
import { whileLocked } from './file-lock.ts';
import { completeProfile, defaults, type Profile } from './settings.ts';

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
  // Its rules: what is no whole path is as if it were not there.
  return env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME)
    ? join(env.XDG_CONFIG_HOME, 'alm', 'config.yml')
    : join(home, '.alm', 'config.yml');
};

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): [string, Members][] =>
  isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, Members] => isObject(entry[1]))
    : [];

const onlyEndpoints = ({ api_url, registry_url, gateway_url }: Profile): Endpoints => ({
  api_url,
  registry_url,
  gateway_url,
});

/** YAML, which JSON is too. We write the latter: it is read without loading a parser, which takes as long as a short command. */
async function parseConfig(content: string): Promise<unknown> {
  if (content.startsWith('{')) {
    try {
      return JSON.parse(content) as unknown;
    } catch {
      // Somebody wrote something between the braces that only YAML allows.
    }
  }
  const { parse } = await import('yaml');
  // A warning would quote the file, and tokens stand there.
  return parse(content, { logLevel: 'error' }) as unknown;
}

async function readMembers(path: string): Promise<Members> {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new CliError('refused', `The configuration ${path} cannot be read.`, { cause: error });
  }
  try {
    const found = await parseConfig(content);
    if (found === null || isObject(found)) return found ?? {};
  } catch (error) {
    throw unreadable(path, error);
  }
  throw unreadable(path, undefined);
}

const unreadable = (path: string, cause: unknown): CliError =>
  new CliError('refused', `The configuration ${path} is not what it should be.`, {
    lines: cause instanceof Error ? [cause.message.split('\n')[0] ?? ''] : [],
    hints: ['Mend it, or start anew: alm reset'],
    // No cause: the parser quotes the file in it, and tokens stand there.
  });

/** What `read` says, or something else when it has only trouble to tell. */
export const orElse = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof CliError) return otherwise;
    throw error;
  }
};

/** With `anything`, what cannot be understood is taken as the defaults: for those who are about to mend it. */
export async function readConfig(path: string, anything = false): Promise<Config> {
  const members = await readMembers(path).catch((error: unknown): Members => {
    if (anything && error instanceof CliError) return {};
    throw error;
  });
  const { profile, profiles, endpoints } = members;
  const complete = (found: Members, where: string): Profile =>
    anything ? orElse(() => completeProfile(found, where), defaults) : completeProfile(found, where);
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
  };
}

const asText = ({ current, profiles, endpoints }: Config): string => {
  const others = [...profiles].filter(([name]) => name !== defaultProfileName);
  const members = {
    ...(profiles.get(defaultProfileName) ?? defaults),
    ...(current === defaultProfileName ? {} : { profile: current }),
    ...(others.length > 0 ? { profiles: Object.fromEntries(others) } : {}),
    ...(endpoints.size > 0 ? { endpoints: Object.fromEntries(endpoints) } : {}),
  };
  return `${JSON.stringify(members, null, 2)}\n`;
};

/** Where a link leads, so that it stays a link. */
const targetOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

function replaceFile(path: string, text: string): void {
  const beside = `${path}.${process.pid}.new`;
  rmSync(beside, { force: true });
  try {
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Readable by its owner alone, and never half written. */
function writeConfig(path: string, config: Config): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(targetOf(path), asText(config));
  } catch (error) {
    throw new CliError('refused', `The configuration ${path} cannot be written.`, {
      lines: error instanceof Error ? [error.message] : [],
      hints: ['Another place: set ALM_CONFIG to a file of yours'],
      cause: error,
    });
  }
}

/** Reads it anew before it writes, and nobody writes in between: another `alm` may sign in at the same time. */
export const changeConfig = (
  { clock }: { clock: Clock },
  path: string,
  change: (config: Config) => Config,
  anything = false,
): Promise<void> =>
  whileLocked(clock, path, async () => writeConfig(path, change(await readConfig(path, anything))));

export const noSuchProfile = ({ profiles }: Config, name: string, path: string): CliError =>
  wrongUsage(
    `There is no profile "${name}" in ${path}.`,
    `There are: ${[...profiles.keys()].join(', ')}`,
    `Make it: alm login --profile ${name} --url <address>`,
  );

/** Whether others on this machine can read the tokens in it. */
export function othersCanRead(path: string, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return false;
  try {
    return (statSync(path).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}
