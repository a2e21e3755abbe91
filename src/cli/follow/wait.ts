import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { commandFor } from './again.ts';
import { Line } from './connection.ts';
import { Display } from './display.ts';
import { type Awaited, badEnding, sentenceOf } from './ending.ts';
import { Progress } from './progress.ts';
import { StackCalls } from './stack-calls.ts';
import { openWaitScope } from './wait-scope.ts';
import { type Outcome, Watch } from './watch.ts';

function toolsFor(context: Context, { stackId }: Awaited, signal: AbortSignal) {
  const { clock } = context.system;
  const progress = new Progress(clock);
  const display = new Display(context, progress);
  const line = new Line({
    clock,
    signal,
    lost: (why) => display.warn(`The line was lost: ${why} Trying again; the stack goes on meanwhile.`),
    back: () => display.info('The line is back.'),
  });
  return { calls: new StackCalls(context, stackId, signal), line, display, progress, signal };
}

function tellOutcome({ out }: Context, awaited: Awaited, outcome: Outcome): number {
  const bad = badEnding(awaited, outcome);
  if (bad) throw bad;
  out.info(`${sentenceOf(awaited, outcome)}.`);
  for (const { OutputKey: key, OutputValue: value } of outcome.now.outputs) out.more(`${key}: ${value}`);
  return exitCodeOf('done');
}

/** The user, or the time they gave, ended the wait: the stack goes on. */
function tellLeft(context: Context, { stackId }: Awaited, why: string): number {
  const back = `Return to it: ${commandFor(context, 'stack wait', stackId)}`;
  if (why === 'timeout') {
    const seconds = context.args.number('wait-timeout');
    const message = `Stack ${stackId} was not seen to come to its end within ${seconds} s. It goes on without you.`;
    throw new CliError('noAnswer', message, { hints: [back] });
  }
  context.out.info(`Stack ${stackId} goes on without you.`);
  context.out.more(`→ ${back}`);
  return exitCodeOf('interrupted');
}

/** Whoever is not let in any more can come back; the stack goes on meanwhile. */
function withWayBack(context: Context, { stackId }: Awaited, error: unknown): unknown {
  if (!(error instanceof CliError)) return error;
  return new CliError(error.exitReason, error.message, {
    lines: error.lines,
    hints: [...error.hints, `The stack goes on. Return to it: ${commandFor(context, 'stack wait', stackId)}`],
    cause: error,
  });
}

/**
 * Stays until what the stack goes through has ended, showing what happens; gives the exit code, or throws what went
 * wrong. The callers have the flag `--wait-timeout`.
 */
export async function waitForStack(context: Context, awaited: Awaited): Promise<number> {
  const stay = openWaitScope(context.system, context.args.number('wait-timeout') ?? 0);
  const tools = toolsFor(context, awaited, stay.signal);
  const outcome = await new Watch(tools, awaited.versionId)
    .untilRest()
    .catch((error: unknown) => {
      if (!stay.signal.aborted) throw withWayBack(context, awaited, error);
      return null;
    })
    .finally(() => {
      tools.display.close();
      stay.end();
    });
  return outcome
    ? tellOutcome(context, awaited, outcome)
    : tellLeft(context, awaited, String(stay.signal.reason));
}
