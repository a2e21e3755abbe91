import { isStackFlag } from '../args/flag.ts';
import type { Context, Invocation } from '../command.ts';
import { makeContext } from '../make-context.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import { withDefaultStack } from './default-stack.ts';
import { stackIdsOf } from './find-stacks.ts';

/** Replaces nicknames on the command line by ids. */
async function withStackIds(context: Context): Promise<Context> {
  const { command, args } = context;
  const given = command.flags.flatMap((flag) => {
    const name = isStackFlag(flag) ? args.text(flag.name) : undefined;
    return name ? [{ flag: flag.name, name }] : [];
  });
  const idOf = await stackIdsOf(
    context,
    given.map(({ name }) => name),
  );
  return {
    ...context,
    args: args.with(Object.fromEntries(given.map(({ flag, name }) => [flag, idOf(name)]))),
  };
}

/** The context of a command that takes a stack: by id, by nickname, or the default one. */
export async function contextWithStack(given: Invocation, settings: LoadedSettings): Promise<Context> {
  const { invocation, loaded, notice } = withDefaultStack(given, settings);
  const context = makeContext(invocation, loaded);
  if (notice !== null) context.out.info(notice);
  return withStackIds(context);
}
