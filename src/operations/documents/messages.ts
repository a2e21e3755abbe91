import { Failure, type FailureKind } from '../../basics/failure.ts';
import type { Problem } from '../../basics/problem.ts';
import type { JobInput, JobName } from './jobs.ts';

/** What crosses the border between the main thread and a worker thread: plain data only. */

export type Request = { [Name in JobName]: { name: Name; input: JobInput<Name> } }[JobName];

interface FailureParts {
  kind: FailureKind;
  message: string;
  description: string;
  problems: readonly Problem[];
}

/** `frames`: where an internal error happened. Not its message, which may quote a secret of the document. */
export type Reply =
  | { end: 'result'; packed: unknown }
  | { end: 'failure'; failure: FailureParts }
  | { end: 'error'; name: string; frames: string };

/** A worker sends it once, when it can take jobs. */
export const ready = 'ready';

const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

export const replyToError = (error: unknown): Reply => {
  if (error instanceof Failure) {
    const { kind, message, description, problems } = error;
    return { end: 'failure', failure: { kind, message, description, problems } };
  }
  const { name, stack = '' } = error instanceof Error ? error : new Error();
  return { end: 'error', name, frames: framesOf(stack) };
};

/** The packed result; throws what the job threw. */
export const resultOf = (reply: Reply): unknown => {
  if (reply.end === 'result') return reply.packed;
  if (reply.end === 'failure') {
    const { kind, message, ...details } = reply.failure;
    throw new Failure(kind, message, details);
  }
  const error = new Error(`A worker thread failed with ${reply.name}`);
  error.stack = `${error.message}\n${reply.frames}`;
  throw error;
};
