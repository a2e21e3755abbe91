import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { useStackList } from '../stacks/stack-list.ts';

export interface KnownStack {
  stack: StackSummary | null;
  isPending: boolean;
  error: unknown;
}

/** A stack as the list shows it: kept current, without its document and without secrets. */
export function useSummary(id: string): KnownStack {
  const { data, isPending, error } = useStackList();
  return { stack: data?.find(({ stack_id }) => stack_id === id) ?? null, isPending, error };
}
