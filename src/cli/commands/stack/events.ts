import type { Context, Run } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { Line } from '../../follow/connection.ts';
import { eventTable, eventWriter } from '../../follow/event-rows.ts';
import { followEvents } from '../../follow/follow-events.ts';
import { StackCalls, type StackEvent } from '../../follow/stack-calls.ts';
import { openWaitScope } from '../../follow/wait-scope.ts';

const isDeletion = ({ kind, status }: StackEvent): boolean =>
  kind === 'status' && status === 'DELETE_COMPLETE';

const lineFor = ({ system, out }: Context, signal: AbortSignal): Line =>
  new Line({
    clock: system.clock,
    signal,
    lost: (why) => out.warn(`The line was lost: ${why} Trying again.`),
    back: () => out.info('The line is back.'),
  });

/** Each as it comes, until the stack is gone. */
async function writeWhatComes(
  events: AsyncIterable<StackEvent>,
  write: (event: StackEvent) => void,
): Promise<void> {
  for await (const event of events) {
    write(event);
    if (isDeletion(event)) return;
  }
}

async function follow(context: Context, stackId: string, signal: AbortSignal): Promise<void> {
  const after = context.args.number('after') ?? 0;
  const calls = new StackCalls(context, stackId, signal);
  const isGone = (await calls.describe()).status === 'DELETE_COMPLETE';
  const past = await calls.events(after);
  const write = await eventWriter(context, past);
  for (const event of past) write(event);
  if (isGone || past.some(isDeletion)) return;
  const line = lineFor(context, signal);
  const last = past.at(-1)?.event_id ?? after;
  await writeWhatComes(followEvents({ calls, line, signal, after: last }), write);
}

/** Ctrl-C is how following usually ends, so it is no error. */
async function followUntilEnd(context: Context, stackId: string): Promise<number> {
  const stay = openWaitScope(context.system, 0);
  try {
    await follow(context, stackId, stay.signal);
    context.out.info(`Stack ${stackId} is deleted; nothing more will happen to it.`);
  } catch (error) {
    if (!stay.signal.aborted) throw error;
  } finally {
    stay.end();
  }
  return exitCodeOf('done');
}

export const showEvents: Run = async (context) => {
  const { args, out } = context;
  const stackId = args.required('id');
  if (args.is('follow')) return followUntilEnd(context, stackId);
  const calls = new StackCalls(context, stackId, new AbortController().signal);
  const events = await calls.events(args.number('after') ?? 0);
  await out.document(JSON.stringify(events), () => eventTable(events));
  return undefined;
};
