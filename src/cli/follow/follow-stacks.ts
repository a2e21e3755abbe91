import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import type { followStacks as followRoute, ListStackSummaries } from '../../contract/v3/stacks.ts';
import type { Api } from '../net/api.ts';
import { ApiError } from '../net/api-error.ts';
import type { Connection } from './connection.ts';
import { type Message, messagesOf } from './messages.ts';

/** The stacks as they are, or the change of one; without a stack, it was deleted. */
export type StackUpdate =
  | { kind: 'list'; stacks: readonly StackSummary[] }
  | { kind: 'change'; stackId: string; stack: StackSummary | null };

interface StackList {
  stacks: readonly StackSummary[];
  /** Where the stream continues without a gap. */
  cursor: string;
}

/** Lists the stacks of both API versions. */
export async function listAllStacks(api: Api, signal?: AbortSignal): Promise<StackList> {
  const { body, headers } = await api.call<ListStackSummaries>('GET', '/v3/alm/stack', {
    query: { view: 'summary' },
    ...(signal && { signal }),
  });
  return { stacks: body, cursor: String(headers['alm-cursor'] ?? '') };
}

function updateOf({ event, data }: Message): StackUpdate | null {
  if (event !== 'stack' && event !== 'deleted') return null;
  const stack: StackSummary = JSON.parse(data);
  return { kind: 'change', stackId: stack.stack_id, stack: event === 'stack' ? stack : null };
}

interface FollowOptions {
  api: Api;
  connection: Connection;
  signal: AbortSignal;
}

/** Yields changes and reconnects as often as needed. Ends only by throwing. */
async function* changesAfter(
  cursor: string,
  { api, connection, signal }: FollowOptions,
): AsyncGenerator<StackUpdate> {
  let after = cursor;
  for (;;) {
    const input = { query: { after }, signal };
    const body = await connection.retry(() =>
      api.stream<typeof followRoute>('GET', '/v3/alm/stack/stream', input),
    );
    try {
      for await (const message of messagesOf(connection.read(body))) {
        if (message.id) after = message.id;
        const update = updateOf(message);
        if (update) yield update;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      // The stream broke. The next attempt to open it shows whether the connection is lost.
    } finally {
      body.destroy();
    }
    await connection.backOff();
  }
}

/** After a long interruption, changes are missing between the cursor and what the service remembers. */
const isOldCursor = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

/** Yields all stacks, then every change. Ends only by throwing. */
export async function* followStacks(options: FollowOptions): AsyncGenerator<StackUpdate> {
  const { api, connection, signal } = options;
  for (;;) {
    const { stacks, cursor } = await connection.retry(() => listAllStacks(api, signal));
    yield { kind: 'list', stacks };
    try {
      yield* changesAfter(cursor, options);
    } catch (error) {
      if (!isOldCursor(error)) throw error;
    }
    await connection.backOff();
  }
}
