import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';

/** The change of one stack; without a row, it was deleted. */
export interface StackChange {
  stackId: string;
  row: StackSummary | null;
}

/** The list after some changes. New stacks come first. */
export function withChanges(
  rows: readonly StackSummary[],
  changes: readonly StackChange[],
): readonly StackSummary[] {
  const latest = new Map(changes.map(({ stackId, row }) => [stackId, row]));
  const kept = rows.flatMap((row) => {
    const next = latest.get(row.stack_id);
    latest.delete(row.stack_id);
    return next === null ? [] : [next ?? row];
  });
  const added = [...latest.values()].filter((row) => row !== null);
  return [...added.toReversed(), ...kept];
}
