import { usageError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import type { Args } from './args.ts';
import { type ApiVersion, type Flag, isStackFlag } from './flag.ts';

const otherVersion: Readonly<Record<ApiVersion, ApiVersion>> = { v2: 'v3', v3: 'v2' };

const isEmpty = (args: Args, name: string): boolean =>
  (args.text(name) ?? '') === '' && args.list(name).length === 0;

/** Where the default stack is not used. */
const explicitHint = (flag: Flag): string[] =>
  isStackFlag(flag) && flag.explicit
    ? ['The default stack of "alm use" is never deleted: name the stack.']
    : [];

function checkRequired(flag: Flag, args: Args, version: ApiVersion): void {
  const { name, required, about } = flag;
  if (required === true && isEmpty(args, name))
    throw usageError(`--${name} is required: ${about}.`, ...explicitHint(flag));
  if (required === version && isEmpty(args, name))
    throw usageError(
      `--${name} is required with API ${version}: ${about}.`,
      `To use the other API version: --apiver ${otherVersion[version]}`,
    );
}

function checkFlag(flag: Flag, args: Args, version: ApiVersion): void {
  const { name, only, needs } = flag;
  checkRequired(flag, args, version);
  if (!args.has(name)) return;
  if (only && only !== version)
    throw usageError(`--${name} is supported in API ${only} only.`, `Omit it, or add: --apiver ${only}`);
  if (needs && !args.is(needs) && args.text(needs) === undefined)
    throw usageError(`--${name} requires --${needs}.`, `Add: --${needs}`);
}

/** Checks the rules between flags, which depend on the API version. */
export function checkRules(command: Command, args: Args, version: ApiVersion): void {
  if (command.only && args.has('apiver') && version !== command.only)
    throw usageError(
      `"alm ${command.path}" is supported in API ${command.only} only.`,
      `Omit: --apiver ${version}`,
    );
  for (const flag of command.flags) checkFlag(flag, args, command.only ?? version);
  const format = args.text('fmt');
  if (format && !command.formats.some((each) => each === format))
    throw usageError(
      command.formats.length > 0
        ? `"alm ${command.path}" does not support --fmt ${format}. Supported: ${command.formats.join(', ')}`
        : `"alm ${command.path}" does not support --fmt.`,
    );
}
