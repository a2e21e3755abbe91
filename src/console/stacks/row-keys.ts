import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { useKeys } from '../address/keys.ts';
import { addressOf, pages } from '../address/pages.ts';

const linkOf = (stackId: string): HTMLElement | null =>
  document.querySelector(`[data-row="${CSS.escape(stackId)}"]`);

/** j and k move the focus over the rows; Enter then opens, e edits. Returns the row that must be visible. */
export function useRowKeys(rows: readonly StackSummary[]): number | undefined {
  const [selected, setSelected] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const at = rows.findIndex((row) => row.stack_id === selected);
  const select = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row) setSelected(row.stack_id);
  };
  useKeys({
    down: () => select(at + 1),
    up: () => select(at - 1),
    ...(selected !== null ? { edit: () => navigate(addressOf(pages.edit, { id: selected })) } : {}),
  });
  useEffect(() => {
    if (selected !== null) linkOf(selected)?.focus({ preventScroll: true });
  }, [selected]);
  return at === -1 ? undefined : at;
}
