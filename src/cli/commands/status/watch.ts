import type { Context } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { Connection } from '../../follow/connection.ts';
import { followStacks } from '../../follow/follow-stacks.ts';
import { openWaitScope } from '../../follow/wait-scope.ts';
import { boardView } from './board-view.ts';
import { KnownStacks } from './known-stacks.ts';
import { linesView } from './lines-view.ts';
import type { StatusView } from './status-view.ts';

async function viewFor(context: Context): Promise<StatusView> {
  const { args, out, system } = context;
  return out.format === 'table' && system.stdoutIsTty && !args.has('out')
    ? boardView(context)
    : linesView(context);
}

async function follow(context: Context, view: StatusView, signal: AbortSignal): Promise<void> {
  const connection = new Connection({
    clock: context.system.clock,
    signal,
    onLost: (reason) => view.lost(reason),
    onRestored: () => view.restored(),
  });
  const known = new KnownStacks();
  for await (const update of followStacks({ api: context.api, connection, signal }))
    view.show(known.apply(update), known);
}

/** Follows until Ctrl-C. */
export async function watchStatus(context: Context): Promise<number> {
  const scope = openWaitScope(context.system, 0);
  const view = await viewFor(context);
  try {
    await follow(context, view, scope.signal);
  } catch (error) {
    if (!scope.signal.aborted) throw error;
  } finally {
    view.close();
    scope.close();
  }
  return exitCodeOf('interrupted');
}
