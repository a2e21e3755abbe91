import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import type { Context } from '../../command.ts';
import { oneLine, painter } from '../../view/colour.ts';
import { fitTable } from '../../view/fit-table.ts';
import { formatTable, widthFor } from '../../view/table.ts';
import { byUrgency, countText, statusTable } from './rows.ts';
import type { StatusView } from './status-view.ts';

const redrawMs = 1000;
/** Each frame wraps no lines, and leaves the terminal as it was: nothing needs to be restored when the program is killed. */
const [noWrap, wrap] = ['\u001B[?7l', '\u001B[?7h'];
const [clear, home, clearLine, clearBelow] = ['\u001B[2J', '\u001B[H', '\u001B[K', '\u001B[J'];

const frameOf = (lines: readonly string[]): string =>
  noWrap + home + lines.map((line) => `${line}${clearLine}\n`).join('') + clearBelow + wrap;

/** The most urgent stacks that fit, below a line with the counts of all. */
async function linesOf(
  { system }: Context,
  stacks: readonly StackSummary[],
  lost: string | null,
): Promise<string[]> {
  const paint = painter({ isTTY: true }, system.env);
  const room = Math.max(1, (system.stdout.rows || 24) - 5);
  const now = system.clock.now();
  const table = statusTable(byUrgency(stacks).slice(0, room), now, true);
  const widthOf = await widthFor(table);
  const { gap, table: fitted } = fitTable(table, widthOf, system.stdout.columns || Number.POSITIVE_INFINITY);
  const rows = formatTable({ ...fitted, gap }, widthOf, paint)
    .trimEnd()
    .split('\n');
  const more = stacks.length > room ? [paint('faint', `and ${stacks.length - room} more`)] : [];
  const state =
    lost === null
      ? paint('faint', 'live, Ctrl-C ends')
      : paint('bad', oneLine(`not live: ${lost} Reconnecting.`));
  return [`${paint('strong', countText(stacks))}  ${state}`, '', ...rows, ...more];
}

/** The whole screen, redrawn after changes and every second, for the time left. */
export function boardView(context: Context): StatusView {
  const { clock } = context.system;
  let stacks: readonly StackSummary[] = [];
  let lost: string | null = null;
  let isOpen = true;
  let cancel = (): void => {};
  const draw = async (): Promise<void> => {
    const lines = await linesOf(context, stacks, lost);
    if (isOpen) context.system.write(frameOf(lines));
  };
  const tick = (): void => {
    cancel = clock.after(redrawMs, () => {
      void draw();
      tick();
    });
  };
  context.system.write(clear);
  tick();
  const change = (next: { stacks?: readonly StackSummary[]; lost: string | null }): void => {
    stacks = next.stacks ?? stacks;
    lost = next.lost;
    void draw();
  };
  return {
    show: (_changes, known) => change({ stacks: known.all, lost: null }),
    lost: (reason) => change({ lost: reason }),
    restored: () => change({ lost: null }),
    close: () => {
      isOpen = false;
      cancel();
    },
  };
}
