import { rmSync, writeFileSync } from 'node:fs';
import { CliError, usageError } from '../../cli-error.ts';
import type { Context, Run } from '../../command.ts';
import { defaultStack, stackFile, textOf } from '../../names/default-stack.ts';
import { findStacks } from '../../names/find-stacks.ts';
import { changeConfig } from '../../settings/config-file.ts';
import { defaults } from '../../settings/settings.ts';

/** Runs a change of the file in this directory. */
function changeFile(change: () => void): void {
  try {
    change();
  } catch (cause) {
    throw new CliError('refused', `Cannot write ${stackFile} in this directory.`, {
      lines: cause instanceof Error ? [cause.message] : [],
      hints: ['For all directories: --for-profile'],
      cause,
    });
  }
}

/** Saves the default in the profile or in the directory; an empty text removes it. */
async function save({ system, config, profile, args }: Context, text: string): Promise<void> {
  if (args.is('for-profile'))
    await changeConfig(system, config.path, (content) => ({
      ...content,
      profiles: new Map([
        ...content.profiles,
        [profile, { ...(content.profiles.get(profile) ?? defaults), stack: text }],
      ]),
    }));
  else if (text === '') changeFile(() => rmSync(stackFile, { force: true }));
  else changeFile(() => writeFileSync(stackFile, `${text}\n`));
}

const placeOf = ({ args, profile }: Context): string =>
  args.is('for-profile') ? `for the profile ${profile}` : `in this directory (${stackFile})`;

async function setDefault(context: Context, name: string): Promise<void> {
  const version = context.args.has('apiver') ? context.version : undefined;
  const stack = (await findStacks(context.api, [name], version)).get(name);
  if (!stack) throw new Error(`Stack ${name} was found and is missing`);
  const { stack_id: stackId, nickname } = stack;
  await save(
    context,
    textOf({ stackId, nickname: nickname.replaceAll(/\s+/g, ' '), version: stack.interface }),
  );
  context.out.info(`Stack ${nickname} (${stackId}) is now the default ${placeOf(context)}.`);
}

async function showDefault({ out, config, profile, settings }: Context): Promise<void> {
  const found = defaultStack(config.content.profiles.get(profile) ?? settings, profile);
  const shown = found && {
    stack_id: found.stackId,
    nickname: found.nickname,
    api_version: found.version,
    from: found.from,
  };
  await out.document(JSON.stringify(shown), () => ({
    header: ['STACK ID', 'STACK NAME', 'API', 'FROM'],
    rows: shown ? [[shown.stack_id, shown.nickname, shown.api_version, shown.from]] : [],
  }));
  if (!found) out.info('There is no default stack. To set one: alm use <stack>');
}

/** Sets, removes or shows the stack that commands use if none is given. */
export const useStack: Run = async (context) => {
  const { args, out } = context;
  const name = args.text('stack');
  if (!args.is('clear')) return name === undefined ? showDefault(context) : setDefault(context, name);
  if (name !== undefined) throw usageError('--clear takes no stack.');
  await save(context, '');
  out.info(`There is no default stack ${placeOf(context)} any more.`);
};
