import { CliError } from '../cli-error.ts';
import { failedRollouts, rolloutLines } from './failed-rollouts.ts';
import { commandName } from './names.ts';
import type { Rollout, StackEvent, StackState } from './stack-calls.ts';
import { formatDuration } from './texts.ts';

export interface WaitTarget {
  stackId: string;
  /** The version that must be current at the end; another one means that a later change replaced it. */
  versionId?: string | undefined;
  /** What a person calls the stack, in place of its id. */
  name?: string | undefined;
}

/** Result of an operation. */
export interface Outcome {
  state: StackState;
  /** The request that started the awaited operation. */
  began?: StackEvent | undefined;
  /** The latest request; differs from `began` when another change was requested during the wait. */
  latest?: StackEvent | undefined;
  /** The event that reported the final status. */
  ended?: StackEvent | undefined;
  /** The newest first. */
  rollouts?: readonly Rollout[] | undefined;
}

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** ` after 12 s`; empty when the duration is unknown. */
export const durationSuffix = ({ began, ended }: Outcome): string => {
  const seconds = began && ended ? secondsBetween(began.time, ended.time) : Number.NaN;
  return seconds >= 0 ? ` after ${formatDuration(seconds)}` : '';
};

/** `Stack mo-1 is CREATE_COMPLETE after 12 s` */
export const describeOutcome = ({ stackId, name }: WaitTarget, outcome: Outcome): string =>
  `${name ?? `Stack ${stackId}`} is ${outcome.state.status}${durationSuffix(outcome)}`;

const isDeletion = (status: string): boolean => status.startsWith('DELETE_');

function unexpectedDeletion({ stackId }: WaitTarget, { state, latest }: Outcome): CliError {
  const isDeleted = state.status === 'DELETE_COMPLETE';
  return new CliError(
    'operationFailed',
    isDeleted
      ? `Stack ${stackId} was deleted before the operation completed.`
      : `Deletion of stack ${stackId} was requested before the operation completed; it is ${state.status}.`,
    { lines: [latest?.message ?? '', state.reason].filter((line) => line !== '') },
  );
}

const superseded = (target: WaitTarget, outcome: Outcome): CliError =>
  new CliError(
    'operationFailed',
    `${describeOutcome(target, outcome)}, but without your change: it was cancelled or replaced by another change.`,
    {
      lines: [
        ...(outcome.latest ? [outcome.latest.message] : []),
        `your version: ${target.versionId ?? ''}; current version: ${outcome.state.versionId ?? ''}`,
      ],
    },
  );

/** With the last lines of the container, what keeps serving, and where to look. */
function failedRollout(target: WaitTarget, outcome: Outcome, failed: readonly Rollout[]): CliError {
  const { state, rollouts = [] } = outcome;
  // The reason of the stack has the last lines, too.
  const reason = failed[0]?.reason || state.reason;
  const name = commandName(target.stackId, state.nickname);
  return new CliError(
    'operationFailed',
    `${describeOutcome(target, outcome)}${reason === '' ? '.' : `: ${reason}`}`,
    {
      lines: rolloutLines(failed, rollouts, reason),
      hints: [`alm rollout show ${name}`, `alm logs ${name}`],
    },
  );
}

/** The error of an operation that did not end as requested; null when it succeeded. */
export function failureOf(target: WaitTarget, outcome: Outcome): CliError | null {
  const { state, began, rollouts = [] } = outcome;
  const awaitsDeletion = target.versionId === undefined && isDeletion(began?.status ?? state.status);
  if (isDeletion(state.status) && !awaitsDeletion) return unexpectedDeletion(target, outcome);
  const version = target.versionId ?? began?.version_id ?? state.versionId;
  const failed = awaitsDeletion ? [] : failedRollouts(rollouts, version);
  if (failed.length > 0) return failedRollout(target, outcome, failed);
  if (target.versionId !== undefined && state.versionId !== target.versionId)
    return superseded(target, outcome);
  if (!state.status.endsWith('_FAILED')) return null;
  const reason = state.reason === '' ? '.' : `: ${state.reason}`;
  return new CliError('operationFailed', `${describeOutcome(target, outcome)}${reason}`);
}
