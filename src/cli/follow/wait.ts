import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { Connection } from './connection.ts';
import { Display, isLive } from './display.ts';
import { printEnding, showEnding } from './ending.ts';
import { failureOf, type Outcome, type WaitTarget } from './outcome.ts';
import { Progress } from './progress.ts';
import { StackCalls } from './stack-calls.ts';
import { openWaitScope } from './wait-scope.ts';
import { Watch } from './watch.ts';

async function toolsFor(context: Context, { stackId }: WaitTarget, signal: AbortSignal) {
  const { clock } = context.system;
  const progress = new Progress(clock);
  const display = new Display(context, progress, (await import('string-width')).default);
  const connection = new Connection({
    clock,
    signal,
    onLost: (reason) => display.warn(`Connection lost: ${reason} Reconnecting; the operation continues.`),
    onRestored: () => display.info('Reconnected.'),
  });
  const calls = new StackCalls(context, stackId, signal);
  return { calls, clock, connection, display, progress, signal };
}

/** Flags that select the server and the API version; the suggested command needs the same ones. */
const selectingFlags = ['profile', 'url', 'apiver'] as const;

/** `Resume waiting: alm stack wait <id>` */
function resumeHint({ args }: Context, { stackId }: WaitTarget): string {
  const flags = selectingFlags.flatMap((name) =>
    args.has(name) ? [`--${name} ${args.text(name) ?? ''}`] : [],
  );
  return `Resume waiting: ${[`alm stack wait ${stackId}`, ...flags].join(' ')}`;
}

/** Reports a wait that Ctrl-C or the timeout ended; the operation continues. */
function reportAborted(context: Context, target: WaitTarget, reason: string): number {
  const { stackId } = target;
  const hint = resumeHint(context, target);
  if (reason === 'timeout') {
    const seconds = context.args.number('wait-timeout');
    const message = `Timed out after ${seconds} s; stack ${stackId} is still in progress.`;
    throw new CliError('noAnswer', message, { hints: [hint] });
  }
  context.out.info(`Stopped waiting; the operation on stack ${stackId} continues on the server.`);
  context.out.more(`→ ${hint}`);
  return exitCodeOf('interrupted');
}

/** Adds the way to resume to an error that ended the wait, such as an expired token. */
function withResumeHint(context: Context, target: WaitTarget, error: unknown): unknown {
  if (!(error instanceof CliError)) return error;
  return new CliError(error.exitReason, error.message, {
    lines: error.lines,
    hints: [...error.hints, `The operation continues. ${resumeHint(context, target)}`],
    cause: error,
  });
}

function report(context: Context, target: WaitTarget, outcome: Outcome): number {
  const isSeen = isLive(context);
  const failure = failureOf(isSeen ? { ...target, name: outcome.state.nickname } : target, outcome);
  if (failure) throw failure;
  (isSeen ? showEnding : printEnding)(context, target, outcome);
  return exitCodeOf('done');
}

/**
 * Waits until the operation in progress ends, with its rollouts, and shows it. Returns the exit code, or throws when the operation
 * failed. The calling command has the flag `--wait-timeout`.
 */
export async function waitForStack(context: Context, target: WaitTarget): Promise<number> {
  const scope = openWaitScope(context.system, context.args.number('wait-timeout') ?? 0);
  const tools = await toolsFor(context, target, scope.signal);
  const outcome = await new Watch(tools, target.versionId)
    .untilOver()
    .catch((error: unknown) => {
      if (!scope.signal.aborted) throw withResumeHint(context, target, error);
      return null;
    })
    .finally(() => {
      tools.display.close();
      scope.close();
    });
  return outcome
    ? report(context, target, outcome)
    : reportAborted(context, target, String(scope.signal.reason));
}
