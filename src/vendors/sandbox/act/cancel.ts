import { type CancelAnswer, cancelled, tooLate } from '../../data.ts';
import type { SandboxAccount, SandboxStack } from '../cloud.ts';
import { phaseOf } from '../timeline.ts';

interface Cancellation {
  id: string;
  version: string;
}

/** Like AWS, the sandbox deletes at the end of an update, and cannot stop it then. */
export function cancelUpdate(
  account: SandboxAccount,
  { id, version }: Cancellation,
  now: number,
): CancelAnswer {
  const stack = account.stacks.get(id);
  if (!stack || stack.version !== version || stack.doing !== 'apply') return cancelled;
  const phase = phaseOf(stack, now);
  if (phase === 'settled') return tooLate('The update is complete.');
  if (phase === 'broken') return cancelled;
  if (isDeleting(stack, now)) return tooLate('The update already deletes what it replaced.');
  account.stacks.set(id, stopped(stack, now));
  return cancelled;
}

const isDeleting = ({ steps }: SandboxStack, now: number): boolean =>
  steps.some(({ action, background, startsAt }) => action === 'delete' && !background && startsAt <= now);

/** Steps in progress end; the others never start. The next plan restores the version before. */
function stopped(stack: SandboxStack, now: number): SandboxStack {
  const started = stack.steps.filter((step) => step.startsAt <= now);
  return {
    ...stack,
    steps: started,
    endsAt: Math.max(now, ...started.filter((step) => !step.background).map((step) => step.endsAt)),
    failure: 'The update was cancelled.',
  };
}
