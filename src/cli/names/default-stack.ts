import { readFileSync } from 'node:fs';
import { type ApiVersion, type Flag, isStackFlag } from '../args/flag.ts';
import { CliError } from '../cli-error.ts';
import type { Invocation } from '../command.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';

/** In the current directory: the stack that commands there use. */
export const stackFile = '.alm-stack';

interface DefaultStack {
  stackId: string;
  version: ApiVersion;
  nickname: string;
}

/** The stack that commands use if none is given, and who says so. */
interface FoundDefault extends DefaultStack {
  from: 'directory' | 'profile';
}

/** `mo-… v3 shop`, in the file and in the profile. */
export const textOf = ({ stackId, version, nickname }: DefaultStack): string =>
  `${stackId} ${version} ${nickname}`;

function readDefault(text: string, where: string): DefaultStack | null {
  if (text.trim() === '') return null;
  const [, stackId = '', version = '', nickname = ''] = /^(mo-\S+) (v[23]) ([^\n]*)\n?$/.exec(text) ?? [];
  if (stackId === '')
    throw new CliError('usage', `The default stack in ${where} is not readable.`, {
      hints: ['Set it again: alm use <stack>', 'Or remove it: alm use --clear'],
    });
  return { stackId, version: version === 'v2' ? 'v2' : 'v3', nickname };
}

function fileText(): string {
  try {
    return readFileSync(stackFile, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new CliError('refused', `Cannot read ${stackFile} in this directory.`, { cause: error });
  }
}

/** The default of the directory, or else that of the profile. */
export function defaultStack(saved: { stack: string }, profile: string): FoundDefault | null {
  const ofDirectory = readDefault(fileText(), `${stackFile} in this directory`);
  if (ofDirectory) return { ...ofDirectory, from: 'directory' };
  const ofProfile = readDefault(saved.stack, `the profile ${profile}`);
  return ofProfile && { ...ofProfile, from: 'profile' };
}

/** The flag that the default stack is the value of: one that must be given, and is not. */
function openFlag({ command, args }: Invocation): Flag | undefined {
  return command.flags.find(
    (flag) =>
      isStackFlag(flag) &&
      !args.has(flag.name) &&
      !flag.explicit &&
      (flag.required === true || (flag.orDefaultUnless !== undefined && !args.has(flag.orDefaultUnless))),
  );
}

interface WithDefault {
  invocation: Invocation;
  loaded: LoadedSettings;
  /** What the user is to know. */
  notice: string | null;
}

/** Adds the default stack, and its API version, to a command line without a stack. */
export function withDefaultStack(invocation: Invocation, loaded: LoadedSettings): WithDefault {
  const { command, args } = invocation;
  const flag = openFlag(invocation);
  const found = flag ? defaultStack(loaded.saved, loaded.profile) : null;
  if (!flag || !found) return { invocation, loaded, notice: null };
  const { stackId, nickname, version, from } = found;
  const keepsVersion = command.only !== undefined || args.has('apiver');
  const values = { [flag.name]: stackId, ...(keepsVersion ? {} : { apiver: version }) };
  const settings = keepsVersion ? loaded.settings : { ...loaded.settings, api_version: version };
  return {
    invocation: { ...invocation, args: args.with(values) },
    loaded: { ...loaded, settings },
    notice: `Using stack ${nickname} (${stackId}), the default of this ${from}.`,
  };
}
