import type { Context, Run } from '../../command.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { Connection } from '../../follow/connection.ts';
import { eventTable, eventWriter } from '../../follow/event-rows.ts';
import { followEvents } from '../../follow/follow-events.ts';
import { StackCalls, type StackEvent } from '../../follow/stack-calls.ts';
import { openWaitScope } from '../../follow/wait-scope.ts';

const isDeleted = ({ kind, status }: StackEvent): boolean =>
  kind === 'status' && status === 'DELETE_COMPLETE';

const connectionFor = ({ system, out }: Context, signal: AbortSignal): Connection =>
  new Connection({
    clock: system.clock,
    signal,
    onLost: (reason) => out.warn(`Connection lost: ${reason} Reconnecting.`),
    onRestored: () => out.info('Reconnected.'),
  });

/** Writes events as they arrive, until the stack is deleted. */
async function writeEvents(
  events: AsyncIterable<StackEvent>,
  write: (event: StackEvent) => void,
): Promise<void> {
  for await (const event of events) {
    write(event);
    if (isDeleted(event)) return;
  }
}

async function follow(context: Context, stackId: string, signal: AbortSignal): Promise<void> {
  const after = context.args.number('after') ?? 0;
  const calls = new StackCalls(context, stackId, signal);
  const wasDeleted = (await calls.describe()).status === 'DELETE_COMPLETE';
  const past = await calls.events(after);
  const write = await eventWriter(context, past);
  for (const event of past) write(event);
  if (wasDeleted || past.some(isDeleted)) return;
  const connection = connectionFor(context, signal);
  const last = past.at(-1)?.event_id ?? after;
  await writeEvents(followEvents({ calls, connection, signal, after: last }), write);
}

/** Follows until the stack is deleted, or until Ctrl-C. */
async function followUntilEnd(context: Context, stackId: string): Promise<number> {
  const scope = openWaitScope(context.system, 0);
  try {
    await follow(context, stackId, scope.signal);
    context.out.info(`Stack ${stackId} is deleted; there are no further events.`);
  } catch (error) {
    if (!scope.signal.aborted) throw error;
    return exitCodeOf('interrupted');
  } finally {
    scope.close();
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
