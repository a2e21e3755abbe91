import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import type { describeStack } from '../../../contract/v3/stacks.ts';
import { CliError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { isLive } from '../../follow/display.ts';
import { showEnding } from '../../follow/ending.ts';
import { failedRollouts, rolloutLines } from '../../follow/failed-rollouts.ts';
import { commandName } from '../../follow/names.ts';
import { failureOf, type WaitTarget } from '../../follow/outcome.ts';
import { type Rollout, StackCalls, type StackState } from '../../follow/stack-calls.ts';
import { waitForStack } from '../../follow/wait.ts';
import type { Reply } from '../../net/api.ts';
import { printReply } from '../print-reply.ts';
import { withFinalDocument } from '../stack/print-and-wait.ts';

const callsFor = (context: Context, stackId: string): StackCalls =>
  new StackCalls(context, stackId, new AbortController().signal);

interface Seen {
  stackId: string;
  state: StackState;
  rollouts: readonly Rollout[];
}

/** Fails unless the application serves. Agents that do not say it do not count as a failure. */
function requireServing({ out }: Context, { stackId, state, rollouts }: Seen): void {
  const { health = 'unknown', healthReason = '', nickname } = state;
  if (health === 'serving' || health === 'none') return;
  const why = healthReason === '' ? '.' : `: ${healthReason}`;
  if (health === 'unknown') return out.warn(`Nobody knows whether the application serves${why}`);
  const name = commandName(stackId, nickname);
  throw new CliError('operationFailed', `The application of ${name} is ${health}${why}`, {
    lines: rolloutLines(failedRollouts(rollouts, state.versionId), rollouts, healthReason),
    hints: [`alm rollout show ${name}`, `alm logs ${name}`],
  });
}

async function checkServing(context: Context, stackId: string): Promise<number> {
  const calls = callsFor(context, stackId);
  requireServing(context, { stackId, state: await calls.describe(), rollouts: await calls.rollouts() });
  return exitCodeOf('done');
}

/** The stack as described, with its rollouts. */
async function documentOf(context: Context, stackId: string): Promise<string> {
  const params = { stack_id: stackId };
  const { body } = await context.api.call<typeof describeStack>('GET', '/v3/alm/stack/{stack_id}', {
    params,
  });
  return JSON.stringify({ ...body, rollouts: await callsFor(context, stackId).rollouts() });
}

const waitAndCheck = (context: Context, target: WaitTarget): Promise<number | void> =>
  withFinalDocument(context, {
    wait: async () => {
      const code = await waitForStack(context, target);
      return code === exitCodeOf('done') ? checkServing(context, target.stackId) : code;
    },
    document: () => documentOf(context, target.stackId),
  });

/** Follows an accepted change until the application serves. */
export async function finishUp(
  context: Context,
  reply: Reply<{ stack_id: string; version_id: string }>,
): Promise<number | void> {
  if (!context.args.is('wait')) return printReply(context, reply);
  const { stack_id: stackId, version_id: versionId } = reply.body;
  if (!isLive(context)) context.out.info(`[${reply.statusLine}] stack id: ${stackId}`);
  return waitAndCheck(context, { stackId, versionId });
}

/** The same if there is nothing to change; an operation in progress is waited for. */
export async function waitAgain(context: Context, stack: StackSummary): Promise<number | void> {
  const { stack_id: stackId, stack_status: status } = stack;
  if (status.endsWith('_IN_PROGRESS') && context.args.is('wait')) return waitAndCheck(context, { stackId });
  return withFinalDocument(context, {
    wait: async () => {
      const state = await callsFor(context, stackId).describe();
      const failure = failureOf({ stackId }, { state });
      if (failure) throw failure;
      const code = await checkServing(context, stackId);
      if (isLive(context)) showEnding(context, { stackId }, { state });
      return code;
    },
    document: () => documentOf(context, stackId),
  });
}
