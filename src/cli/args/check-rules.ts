import { wrongUsage } from '../cli-error.ts';
import type { Command } from '../command.ts';
import type { Args } from './args.ts';
import type { ApiVersion, Flag } from './flag.ts';

const otherVersion = (version: ApiVersion): ApiVersion => (version === 'v2' ? 'v3' : 'v2');

function checkFlag(flag: Flag, args: Args, version: ApiVersion): void {
  const { name, required, only, needs } = flag;
  if (
    (required === true || required === version) &&
    (args.text(name) ?? '') === '' &&
    args.list(name).length === 0
  )
    throw wrongUsage(
      `--${name} is needed${required === true ? '' : ` with interface ${version}`}: ${flag.about}.`,
      ...(required === true ? [] : [`For the other interface: --apiver ${otherVersion(version)}`]),
    );
  if (!args.has(name)) return;
  if (only && only !== version)
    throw wrongUsage(`--${name} means something in ${only} only.`, `Leave it out, or add: --apiver ${only}`);
  if (needs && !args.is(needs)) throw wrongUsage(`--${name} needs --${needs}.`, `Add: --${needs}`);
}

/** The rules between flags, which depend on the version of the interface. */
export function checkRules(command: Command, args: Args, version: ApiVersion): void {
  if (command.only && args.has('apiver') && version !== command.only)
    throw wrongUsage(
      `"alm ${command.path}" exists in ${command.only} only.`,
      `Leave out: --apiver ${version}`,
    );
  for (const flag of command.flags) checkFlag(flag, args, command.only ?? version);
  const format = args.text('fmt');
  if (format && !command.formats.some((each) => each === format))
    throw wrongUsage(
      command.formats.length > 0
        ? `"alm ${command.path}" cannot show ${format}. It may be: ${command.formats.join(', ')}`
        : `"alm ${command.path}" has no --fmt.`,
    );
}
