import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';

const words: Readonly<Record<string, string>> = { undoing: 'Undoing', returning: 'Going back' };

/** What is being done, if it is not what was asked for, with the reason. Otherwise empty. */
export const doingText = ({ doing, doing_reason: reason }: Pick<StackSummary, 'doing' | 'doing_reason'>) =>
  [words[doing] ?? '', reason].filter((text) => text !== '').join(': ');
