import { usageError } from '../cli-error.ts';
import type { System } from '../system.ts';
import { askLine } from './prompt.ts';

/** Whether a person can read a question and answer it. Programs are never asked. */
export const canAsk = ({ stdin, stderr }: Pick<System, 'stdin' | 'stderr'>): boolean =>
  stdin.isTTY && stderr.isTTY;

/** Asks for a yes; anything else is an error, and nothing is changed. `skip` names the flag that answers it. */
export async function requireYes(system: System, question: string, skip: string): Promise<void> {
  const answer = await askLine(system, `${question} Type "yes"`, skip);
  if (!/^y(?:es)?$/i.test(answer))
    throw usageError('Not confirmed; nothing was changed.', `Without a question: ${skip}`);
}
