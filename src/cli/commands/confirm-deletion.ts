import type { Context } from '../command.ts';
import { canAsk, requireYes } from '../prompt/confirm.ts';

interface Deletion {
  /** What is deleted, to follow "Delete". */
  what: string;
  /** What is lost with it, the most important first. Asked for only if the question is. */
  losses?: () => Promise<readonly string[]>;
}

/** On a terminal, shows what is lost and asks; `--yes` skips it. Off a terminal nothing is asked. Returns whether anybody agreed. */
export async function confirmDeletion(
  { system, args, out }: Context,
  { what, losses = async () => [] }: Deletion,
): Promise<boolean> {
  if (args.is('yes')) return true;
  if (!canAsk(system)) return false;
  for (const loss of await losses()) out.warn(loss);
  await requireYes(system, `Delete ${what}?`, '--yes');
  return true;
}
